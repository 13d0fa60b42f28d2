package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** The protocol of Redis. */
final class RespWire implements Wire {
  /** What a refusal of a login begins with; then comes what the server said. */
  static final String REFUSED = "the server refused AUTH: ";

  /** What a failure begins with; then comes what the server said. */
  static final String ANSWERED = "the server answered: ";

  private static final String OK = "+OK\r\n";

  private final Template get;
  private final Template set;
  private final String login;
  private final int steps;
  private final byte[] head;
  private final int hit;

  /**
   * @param login what a new connection says first and is answered with OK; empty if nothing
   * @param valueBytes the size of a value
   */
  RespWire(String login, int valueBytes) {
    this(login, login.isEmpty() ? 0 : 1, valueBytes);
  }

  private RespWire(String login, int steps, int valueBytes) {
    this.login = login;
    this.steps = steps;
    String key = bulk(Load.key(0));
    String beforeGet = "*2\r\n" + bulk("GET");
    String beforeSet = "*3\r\n" + bulk("SET");
    get = template(beforeGet, key, "");
    set = template(beforeSet, key, bulk(Load.text(valueBytes)));
    head = ("$" + valueBytes + "\r\n").getBytes(ISO_8859_1);
    hit = head.length + valueBytes + 2;
  }

  /** That of a tenant of this product. */
  static RespWire of(String tenant, String key, int valueBytes) {
    return new RespWire("*3\r\n" + bulk("AUTH") + bulk(tenant) + bulk(key), valueBytes);
  }

  /** That of a Redis server with a password. */
  static RespWire of(String password, int valueBytes) {
    return new RespWire("*2\r\n" + bulk("AUTH") + bulk(password), valueBytes);
  }

  /**
   * That of a logical database, or the map of that number.
   *
   * @param login whose port and cluster do not matter; without a password no AUTH is said, without
   *     a user that of a password alone
   * @param database 0 is where a connection begins
   */
  static RespWire of(Login login, int database, int valueBytes) {
    StringBuilder greeting = new StringBuilder();
    int steps = 0;
    if (!login.password().isEmpty()) {
      boolean known = !login.user().isEmpty();
      greeting.append(known ? "*3\r\n" : "*2\r\n").append(bulk("AUTH"));
      greeting.append(known ? bulk(login.user()) : "").append(bulk(login.password()));
      steps++;
    }
    if (database > 0) {
      greeting.append("*2\r\n").append(bulk("SELECT")).append(bulk(Integer.toString(database)));
      steps++;
    }
    return new RespWire(greeting.toString(), steps, valueBytes);
  }

  @Override
  public byte[] greeting() {
    return login.getBytes(ISO_8859_1);
  }

  @Override
  public int greeted(byte[] in, int from, int to) {
    String answer = new String(in, from, to - from, ISO_8859_1);
    int at = 0;
    for (int step = 0; step < steps; step++) {
      int end = answer.indexOf('\n', at) + 1;
      if (end == 0) {
        return 0;
      }
      if (!answer.startsWith(OK, at)) {
        throw new BenchException(REFUSED + answer.substring(at, end).strip());
      }
      at = end;
    }
    return at;
  }

  @Override
  public int longestRequest() {
    return set.length();
  }

  @Override
  public int longestReply() {
    return hit;
  }

  @Override
  public int put(byte[] out, int at, int key, boolean read, long sequence) {
    return (read ? get : set).put(out, at, key);
  }

  @Override
  public int reply(byte[] in, int from, int to) {
    int there = to - from;
    if (in[from] == '+') {
      return there < OK.length() ? 0 : OK.length();
    }
    for (int i = 0; i < Math.min(head.length, there); i++) {
      if (in[from + i] != head[i]) {
        throw Sockets.answered(in, from, to);
      }
    }
    return there < hit ? 0 : hit;
  }

  private static Template template(String before, String key, String after) {
    return new Template(
        (before + key + after).getBytes(ISO_8859_1), before.length() + key.length() - 2);
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }
}
