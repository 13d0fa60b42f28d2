package io.keyvalueserve.bench;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One client of the cluster, which does one operation at a time. Not thread-safe. */
interface NemesisClient extends AutoCloseable {
  /** How long an operation may take before its outcome counts as unknown. */
  int PATIENCE_MILLIS = 15_000;

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

  /** How its door is called in reports. */
  String door();

  /** The member that it talks to, from 1; 0 if it talks to all. */
  int member();

  /** The kinds of operation that its door has. */
  Set<KeyOperation.Kind> kinds();

  /**
   * Does one operation. The connection is made again after it has failed.
   *
   * @param argument the value to write; empty if the kind has none
   * @param expected the value to compare with; empty if the kind has none
   * @param expiryMillis the time to live of a value with expiry
   */
  Outcome perform(
      KeyOperation.Kind kind, String key, String argument, String expected, long expiryMillis);

  @Override
  void close();
}
