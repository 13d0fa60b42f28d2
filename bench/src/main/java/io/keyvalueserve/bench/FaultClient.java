package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A client as an application beside one member has it: it goes to another server when its own does
 * not answer. Not thread-safe.
 */
interface FaultClient extends AutoCloseable {
  /** How long a server may take for an answer. */
  int PATIENCE_MILLIS = 5_000;

  /**
   * Writes.
   *
   * @throws IOException if the write was not acknowledged; it may have been carried out
   */
  void set(String key, String value) throws IOException;

  /**
   * Reads.
   *
   * @return the value; empty if there is none
   * @throws IOException if there is no answer
   */
  String get(String key) throws IOException;

  @Override
  void close();

  /**
   * Makes one.
   *
   * @param words the kind; for {@code resp} tenant and access key; then addresses, the nearest
   *     first
   */
  static FaultClient of(List<String> words) {
    return switch (words.getFirst()) {
      case "resp" ->
          new RespFaultClient(words.get(1), words.get(2), words.subList(3, words.size()));
      case "sentinel" -> new SentinelFaultClient(words.subList(1, words.size()));
      case "hazelcast" -> new HazelcastFaultClient(words.subList(1, words.size()));
      default -> throw new IllegalArgumentException("no kind of client: " + words.getFirst());
    };
  }

  /** Requires that a command was carried out. */
  static RespReply done(RespReply reply) throws IOException {
    if (reply instanceof RespReply.Failure failure) {
      throw new IOException(failure.text());
    }
    return reply;
  }

  /** The text of a value; empty if there is none. */
  static String text(RespReply reply) throws IOException {
    return switch (done(reply)) {
      case RespReply.Bytes bytes -> new String(bytes.value(), StandardCharsets.UTF_8);
      case RespReply.Nil _ -> "";
      default -> throw new IOException("not a value: " + reply);
    };
  }
}
