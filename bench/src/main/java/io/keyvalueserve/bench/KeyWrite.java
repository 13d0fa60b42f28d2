package io.keyvalueserve.bench;

import java.util.Locale;

/** One write of one key, as the connection that sent it knows it. Owned by that one's thread. */
final class KeyWrite {
  /** What {@link #valueBytes} says of a delete. */
  static final int DELETE = -1;

  /** What became of it. */
  enum Outcome {
    /** Not answered, or in a way that leaves open whether it was done. */
    IN_DOUBT,
    ACKNOWLEDGED,
    /** Answered by an error that says that it was not done. */
    REFUSED
  }

  /** Its place among the writes of its key, from 1; 0 for what was there before all of them. */
  final long sequence;

  /** The size of its value, or {@link #DELETE}. */
  final int valueBytes;

  /** How long the value lives, in milliseconds; 0 for ever. */
  final long ttlMillis;

  /** Its command's place among those of its writer, in a round. */
  final long turn;

  /** No earlier was it done, in milliseconds since 1970. */
  private long earliestMillis;

  /** No later was it done, in milliseconds since 1970. */
  private long latestMillis = Long.MAX_VALUE;

  /** When the acknowledgement was read, in the time of {@link System#nanoTime}. */
  private long acknowledgedNanos;

  private Outcome outcome = Outcome.IN_DOUBT;

  KeyWrite(long sequence, int valueBytes, long ttlMillis, long turn, long sentMillis) {
    this.sequence = sequence;
    this.valueBytes = valueBytes;
    this.ttlMillis = ttlMillis;
    this.turn = turn;
    this.earliestMillis = sentMillis;
  }

  /** A key that is not there, whatever was written up to a sequence. */
  static KeyWrite absent(long sequence) {
    KeyWrite absent = new KeyWrite(sequence, DELETE, 0, 0, 0);
    absent.outcome = Outcome.ACKNOWLEDGED;
    return absent;
  }

  void acknowledge(long nanos, long millis) {
    outcome = Outcome.ACKNOWLEDGED;
    acknowledgedNanos = nanos;
    latestMillis = millis;
  }

  void refuse() {
    outcome = Outcome.REFUSED;
  }

  /** It was found: it was done, and the value expires between two moments. */
  void found(long earliestExpiryMillis, long latestExpiryMillis) {
    outcome = Outcome.ACKNOWLEDGED;
    earliestMillis = Math.max(earliestMillis, earliestExpiryMillis - ttlMillis);
    latestMillis = Math.min(latestMillis, latestExpiryMillis - ttlMillis);
  }

  Outcome outcome() {
    return outcome;
  }

  boolean isAcknowledged() {
    return outcome == Outcome.ACKNOWLEDGED;
  }

  boolean isDelete() {
    return valueBytes == DELETE;
  }

  boolean expires() {
    return ttlMillis > 0;
  }

  long acknowledgedNanos() {
    return acknowledgedNanos;
  }

  /** When the value may be gone, in milliseconds since 1970. */
  long earliestExpiryMillis() {
    return earliestMillis + ttlMillis;
  }

  /** When the value must be gone, in milliseconds since 1970; a write in doubt was done by now. */
  long latestExpiryMillis(long nowMillis) {
    return Math.min(latestMillis, nowMillis) + ttlMillis;
  }

  @Override
  public String toString() {
    String what = isDelete() ? "DEL" : String.format(Locale.ROOT, "SET %,d B", valueBytes);
    return sequence + " " + what + (expires() ? " PX " + ttlMillis : "");
  }
}
