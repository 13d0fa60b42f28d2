package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The protocol of Redis for any commands. It looks at every reply: an error, also within another
 * reply, and a reply that does not begin as it should end the load. For one connection only.
 */
final class TalkWire implements Wire {
  private final Wire login;
  private final byte[] hello;
  private final int hellos;
  private final Longest sizes;
  private final IntFunction<Talk> talks;
  private final Talk talk;
  private final RespWords words = new RespWords();
  private long answered;

  /**
   * The longest of what is sent and received.
   *
   * @param request in bytes
   * @param reply to a request, in bytes
   */
  record Longest(int request, int reply) {}

  /**
   * @param login how a server wants to be greeted
   * @param hello commands that each connection sends after that
   * @param sizes of requests and replies
   * @param talks what a connection says, by its number from 0
   */
  TalkWire(Wire login, List<List<String>> hello, Longest sizes, IntFunction<Talk> talks) {
    this(login, bytes(hello), hello.size(), sizes, talks, talks.apply(0));
  }

  private TalkWire(
      Wire login, byte[] hello, int hellos, Longest sizes, IntFunction<Talk> talks, Talk talk) {
    this.login = login;
    this.hello = hello;
    this.hellos = hellos;
    this.sizes = sizes;
    this.talks = talks;
    this.talk = talk;
  }

  @Override
  public Wire at(int connection) {
    return new TalkWire(login, hello, hellos, sizes, talks, talks.apply(connection));
  }

  @Override
  public byte[] greeting() {
    byte[] first = login.greeting();
    byte[] all = new byte[first.length + hello.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(hello, 0, all, first.length, hello.length);
    return all;
  }

  @Override
  public int greeted(byte[] in, int from, int to) {
    int at = from;
    if (login.greeting().length > 0) {
      int length = login.greeted(in, from, to);
      if (length == 0) {
        return 0;
      }
      at += length;
    }
    for (int i = 0; i < hellos; i++) {
      int length = length(in, at, to);
      if (length == 0) {
        return 0;
      }
      at += length;
    }
    return at - from;
  }

  @Override
  public int longestRequest() {
    return sizes.request;
  }

  @Override
  public int longestReply() {
    return sizes.reply;
  }

  @Override
  public int put(byte[] out, int at, int key, boolean read, long sequence) {
    talk.ask(words.into(out, at), key, sequence);
    return words.end();
  }

  @Override
  public int reply(byte[] in, int from, int to) {
    int at = from;
    for (String begin : talk.answers(answered)) {
      int length = length(in, at, to);
      if (length == 0) {
        return 0;
      }
      for (int i = 0; i < begin.length(); i++) {
        if (i == length || in[at + i] != begin.charAt(i)) {
          throw new BenchException(
              Sockets.answered(in, at, to).getMessage() + ", not " + begin.strip());
        }
      }
      at += length;
    }
    answered++;
    return at - from;
  }

  /**
   * Returns the length of a reply in bytes; 0 if it is not all there.
   *
   * @throws BenchException if it is an error or has one within it, or is none of RESP2
   */
  static int length(byte[] in, int from, int to) {
    int at = from;
    for (long missing = 1; missing > 0; missing--) {
      int end = at;
      while (end < to && in[end] != '\n') {
        end++;
      }
      if (end == to) {
        return 0;
      }
      switch (in[at]) {
        case '+', ':' -> at = end + 1;
        case '$' -> {
          long bytes = number(in, at + 1, end - 1);
          at = end + 1;
          if (bytes >= 0) {
            if (to - at < bytes + 2) {
              return 0;
            }
            at += (int) bytes + 2;
          }
        }
        case '*' -> {
          missing += Math.max(0, number(in, at + 1, end - 1));
          at = end + 1;
        }
        default -> throw Sockets.answered(in, at, to);
      }
    }
    return at - from;
  }

  private static long number(byte[] in, int from, int to) {
    try {
      return Long.parseLong(new String(in, from, Math.max(0, to - from), ISO_8859_1));
    } catch (NumberFormatException e) {
      throw new BenchException("the server's answer is none of RESP2", e);
    }
  }

  private static byte[] bytes(List<List<String>> commands) {
    int room = 0;
    for (List<String> command : commands) {
      for (String word : command) {
        room += word.length() + 32;
      }
    }
    byte[] all = new byte[room + 16 * commands.size()];
    RespWords words = new RespWords().into(all, 0);
    for (List<String> command : commands) {
      words.command(command.size());
      command.forEach(words::word);
    }
    return Arrays.copyOf(all, words.end());
  }
}
