package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Redis server is told about its files. Blocks; not thread-safe. */
final class RedisControl {
  private static final long REWRITE_SECONDS = 600;
  private static final long STEP_MILLIS = 20;
  private static final Pattern SIZE = Pattern.compile("(?m)^aof_current_size:(\\d+)");

  private static final Pattern BUFFERED = Pattern.compile("(?m)^aof_buffer_length:[1-9]");

  private final RespConnection connection;

  RedisControl(RespConnection connection) {
    this.connection = connection;
  }

  /** Has it write a snapshot (RDB). */
  void save() throws IOException {
    call("SAVE");
  }

  /** Has it write its log anew, and waits until that is done. */
  void rewrite() throws IOException {
    call("BGREWRITEAOF");
    Clock.await(
        () -> !isRewriting(), STEP_MILLIS, REWRITE_SECONDS, "redis has not written its log anew");
  }

  /** Waits until its log has all that it has answered: it may hold that back while it syncs. */
  void awaitWritten() throws IOException {
    Clock.await(
        () -> !BUFFERED.matcher(persistence()).find(),
        STEP_MILLIS,
        REWRITE_SECONDS,
        "redis has not written its log");
  }

  /** How long its log is; 0 if it has none. */
  long logBytes() throws IOException {
    Matcher size = SIZE.matcher(persistence());
    return size.find() ? Long.parseLong(size.group(1)) : 0;
  }

  /** From now on it writes its log anew only when it is told to. */
  void rewriteWhenToldOnly() throws IOException {
    call("CONFIG", "SET", "auto-aof-rewrite-percentage", "0");
    while (isRewriting()) {
      Clock.sleepMillis(STEP_MILLIS);
    }
  }

  private boolean isRewriting() throws IOException {
    String state = persistence();
    if (!state.contains("aof_last_bgrewrite_status:ok")) {
      throw new BenchException("redis could not write its log anew");
    }
    return state.contains("aof_rewrite_in_progress:1") || state.contains("aof_rewrite_scheduled:1");
  }

  private String persistence() throws IOException {
    if (connection.call("INFO", "persistence") instanceof RespReply.Bytes text) {
      return new String(text.value(), StandardCharsets.UTF_8);
    }
    throw new BenchException("redis does not tell of its files");
  }

  private void call(String... words) throws IOException {
    if (connection.call(words) instanceof RespReply.Failure failure) {
      throw new BenchException("redis answered: " + failure.text());
    }
  }
}
