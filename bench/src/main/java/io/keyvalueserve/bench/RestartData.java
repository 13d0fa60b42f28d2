package io.keyvalueserve.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Entries that a restart has to bring back. Each value is noise of its own, drawn from its key's
 * number: nobody can compress it, and whoever reads it can tell that it is the right one.
 *
 * @param bytes of all keys and values together
 * @param valueBytes of a value
 */
record RestartData(long bytes, int valueBytes) {
  private static final int FILLERS = 4;
  private static final int BATCH_BYTES = 64 << 10;
  private static final int SAMPLE = 1000;

  /** A connection that may read and write. */
  interface Door {
    RespConnection connect() throws IOException;
  }

  int entries() {
    return Math.toIntExact(count());
  }

  /** The same, as large as it may be asked for. */
  long count() {
    return Math.max(1, bytes / (Load.KEY_BYTES + valueBytes));
  }

  byte[] value(int number) {
    byte[] value = new byte[valueBytes];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  /** Writes all entries, over a few connections. */
  void fill(Door door) {
    AtomicInteger next = new AtomicInteger();
    int batch = Math.max(1, BATCH_BYTES / (Load.KEY_BYTES + valueBytes));
    Load.inParallel(
        FILLERS,
        () -> {
          try (RespConnection connection = door.connect()) {
            for (int from; (from = next.getAndAdd(batch)) < entries(); ) {
              write(connection, from, Math.min(entries(), from + batch));
            }
          } catch (IOException e) {
            throw new BenchException("a server has ended a connection that fills it", e);
          }
        });
  }

  private void write(RespConnection connection, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      connection.begin(3);
      connection.word("SET");
      connection.word(Load.key(i));
      connection.word(value(i));
    }
    connection.send();
    for (int i = from; i < to; i++) {
      RespReply reply = connection.read();
      if (!(reply instanceof RespReply.Line)) {
        throw new BenchException("a server does not take what it is filled with: " + reply);
      }
    }
  }

  /**
   * Checks that as many keys are there as were written, and that some have their values.
   *
   * @throws BenchException if not
   */
  void check(RespConnection connection) throws IOException {
    RespReply size = connection.call("DBSIZE");
    if (!(size instanceof RespReply.Number number) || number.value() != entries()) {
      throw new BenchException(
          "after its restart a server has not the "
              + entries()
              + " keys that were written, but answers DBSIZE by "
              + size);
    }
    int step = Math.max(1, entries() / SAMPLE);
    for (int i = 0; i < entries(); i += step) {
      if (!isValue(i, connection.call("GET", Load.key(i)))) {
        throw new BenchException("after its restart a server has another value of " + Load.key(i));
      }
    }
  }

  /** Whether a reply is the value of a key's number. */
  boolean isValue(int number, RespReply reply) {
    return reply instanceof RespReply.Bytes bytes && Arrays.equals(bytes.value(), value(number));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%,d MiB, values of %,d B (%,d keys)", bytes >> 20, valueBytes, count());
  }
}
