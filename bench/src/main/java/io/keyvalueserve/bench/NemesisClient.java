package io.keyvalueserve.bench;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One client of the cluster, which does one operation at a time. Not thread-safe. */
abstract class NemesisClient implements AutoCloseable {
  /** How long an operation may take before its outcome counts as unknown. */
  static final int PATIENCE_MILLIS = 15_000;

  private final String door;
  private final int member;
  private final Set<KeyOperation.Kind> missing;

  /** Tells what became of an operation. */
  sealed interface Outcome {
    /**
     * It was carried out.
     *
     * @param result as {@link KeyOperation#result} has it
     */
    record Done(@Nullable String result) implements Outcome {}

    /**
     * It was not carried out.
     *
     * @param why the kind of error
     */
    record NotDone(String why) implements Outcome {}

    /**
     * It may have been carried out, or may yet be.
     *
     * @param why the kind of error
     */
    record Unknown(String why) implements Outcome {}
  }

  /**
   * @param door how its door is called in reports
   * @param member that it talks to, from 1; 0 if it talks to all
   * @param missing kinds of operation that its door has not
   */
  NemesisClient(String door, int member, Set<KeyOperation.Kind> missing) {
    this.door = door;
    this.member = member;
    this.missing = missing;
  }

  /** How its door is called in reports. */
  final String door() {
    return door;
  }

  /** The member that it talks to, from 1; 0 if it talks to all. */
  final int member() {
    return member;
  }

  /** Whether its door has a kind of operation. */
  final boolean has(KeyOperation.Kind kind) {
    return !missing.contains(kind);
  }

  /**
   * Does one operation. The connection is made again after it has failed.
   *
   * @param argument the value to write; empty if the kind has none
   * @param expected the value to compare with; empty if the kind has none
   * @param expiryMillis the time to live of a value with expiry
   */
  abstract Outcome perform(
      KeyOperation.Kind kind, String key, String argument, String expected, long expiryMillis);

  @Override
  public abstract void close();
}
