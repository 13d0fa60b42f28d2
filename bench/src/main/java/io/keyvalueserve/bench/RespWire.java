package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** The protocol of Redis. */
final class RespWire implements Wire {
  private static final String OK = "+OK\r\n";

  private final Template get;
  private final Template set;
  private final String login;
  private final byte[] head;
  private final int hit;

  /**
   * @param login what a new connection says first and is answered with OK; empty if nothing
   * @param valueBytes the size of a value
   */
  RespWire(String login, int valueBytes) {
    this.login = login;
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

  @Override
  public byte[] greeting() {
    return login.getBytes(ISO_8859_1);
  }

  @Override
  public int greeted(byte[] in, int from, int to) {
    String answer = new String(in, from, to - from, ISO_8859_1);
    int end = answer.indexOf('\n') + 1;
    if (end > 0 && !answer.startsWith(OK)) {
      throw new BenchException("the server refused AUTH: " + answer.substring(0, end).strip());
    }
    return end;
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
        throw wrong(in, from, to);
      }
    }
    return there < hit ? 0 : hit;
  }

  /** An error may be cut off: what is there of it is told. */
  private static BenchException wrong(byte[] in, int from, int to) {
    String words = new String(in, from, Math.min(to - from, 200), ISO_8859_1);
    return new BenchException("the server answered: " + words.lines().findFirst().orElse(""));
  }

  private static Template template(String before, String key, String after) {
    return new Template(
        (before + key + after).getBytes(ISO_8859_1), before.length() + key.length() - 2);
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }
}
