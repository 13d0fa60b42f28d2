package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Reads all keys of a cluster that nobody writes to, at all of its members in turns. */
final class Survey implements AutoCloseable {
  private static final int BATCH = 64;
  private static final long PATIENCE_SECONDS = 60;
  private static final int PAUSE_MILLIS = 50;

  private final List<RespConnection> connections = new ArrayList<>();
  private long errors;

  Survey(CrashCluster cluster) {
    try {
      for (int i = 0; i < cluster.size(); i++) {
        connections.add(cluster.connect(i));
      }
    } catch (IOException e) {
      close();
      throw new BenchException("a server says that it is ready, but: " + e.getMessage(), e);
    }
  }

  /** Tells what is in each key; asks again where it is answered by an error. */
  void read(List<KeyHistory> keys, BiConsumer<KeyHistory, Found> teller) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    List<KeyHistory> open = keys;
    while (true) {
      List<KeyHistory> unanswered = new ArrayList<>();
      String error = "";
      for (int from = 0, turn = 0; from < open.size(); from += BATCH, turn++) {
        List<KeyHistory> batch = open.subList(from, Math.min(open.size(), from + BATCH));
        error = batch(connections.get(turn % connections.size()), batch, unanswered, teller);
      }
      if (unanswered.isEmpty()) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new BenchException(
            unanswered.size() + " keys could not be read for " + PATIENCE_SECONDS + " s: " + error);
      }
      Clock.sleepMillis(PAUSE_MILLIS);
      open = unanswered;
    }
  }

  /** Returns the last error. */
  private String batch(
      RespConnection connection,
      List<KeyHistory> batch,
      List<KeyHistory> unanswered,
      BiConsumer<KeyHistory, Found> teller) {
    String error = "";
    long asked = System.currentTimeMillis();
    for (KeyHistory key : batch) {
      connection.add("GET", key.name());
      connection.add("PTTL", key.name());
    }
    try {
      connection.send();
      for (KeyHistory key : batch) {
        RespReply value = connection.read();
        RespReply ttl = connection.read();
        long answered = System.currentTimeMillis();
        if (ttl instanceof RespReply.Number(long millis)
            && (value instanceof RespReply.Bytes || value instanceof RespReply.Nil)) {
          byte[] bytes = value instanceof RespReply.Bytes(byte[] there) ? there : null;
          teller.accept(key, new Found(bytes, millis, asked, answered));
        } else {
          errors++;
          unanswered.add(key);
          error = value + ", " + ttl;
        }
      }
    } catch (IOException e) {
      throw new BenchException("a server ended a connection while keys were read", e);
    }
    return error;
  }

  /** The names of all keys, as SCAN lists them. */
  Set<String> list() {
    Set<String> names = new HashSet<>();
    String cursor = "0";
    try {
      do {
        RespReply page = connections.getFirst().call("SCAN", cursor, "COUNT", "1000");
        if (!(page instanceof RespReply.Array(List<RespReply> parts)
            && parts.get(1) instanceof RespReply.Array(List<RespReply> keys))) {
          throw new BenchException("SCAN was answered by " + page);
        }
        keys.forEach(key -> names.add(text(key)));
        cursor = text(parts.getFirst());
      } while (!cursor.equals("0"));
    } catch (IOException e) {
      throw new BenchException("a server ended a connection while keys were listed", e);
    }
    return names;
  }

  /** How many questions were answered by an error. */
  long errors() {
    return errors;
  }

  private static String text(RespReply reply) {
    return reply instanceof RespReply.Bytes(byte[] bytes)
        ? new String(bytes, ISO_8859_1)
        : reply.toString();
  }

  @Override
  public void close() {
    connections.forEach(RespConnection::close);
  }
}
