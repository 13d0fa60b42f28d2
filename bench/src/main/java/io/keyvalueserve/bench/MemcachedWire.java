package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** The text protocol of memcached. */
final class MemcachedWire implements Wire {
  private static final String STORED = "STORED\r\n";

  private final Template get;
  private final Template set;
  private final int hit;

  MemcachedWire(int valueBytes) {
    String key = Load.key(0);
    String value = Load.text(valueBytes);
    get = template("get ", key, "\r\n");
    set = template("set ", key, " 0 0 " + valueBytes + "\r\n" + value + "\r\n");
    hit = ("VALUE " + key + " 0 " + valueBytes + "\r\n" + value + "\r\nEND\r\n").length();
  }

  @Override
  public byte[] greeting() {
    return new byte[0];
  }

  @Override
  public int greeted(byte[] in, int from, int to) {
    throw new IllegalStateException("memcached is not greeted, so it does not answer");
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
    int length;
    if (in[from] == 'V') {
      length = hit;
    } else if (in[from] == 'S' && (to - from == 1 || in[from + 1] == 'T')) {
      length = STORED.length(); // SERVER_ERROR begins with an S, too
    } else {
      throw Sockets.answered(in, from, to);
    }
    if (to - from < length) {
      return 0;
    }
    if (in[from + length - 1] != '\n') {
      throw Sockets.answered(in, from, to);
    }
    return length;
  }

  private static Template template(String before, String key, String after) {
    return new Template(
        (before + key + after).getBytes(ISO_8859_1), before.length() + key.length());
  }
}
