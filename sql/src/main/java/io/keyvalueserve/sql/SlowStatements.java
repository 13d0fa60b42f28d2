package io.keyvalueserve.sql;

/** Is told of statements that took long. Thread-safe, and does not block. */
@FunctionalInterface
public interface SlowStatements {
  /**
   * Notes a statement that has ended, well or not.
   *
   * @param statement with what it has counted in the end
   * @param plan as {@code EXPLAIN} shows it
   * @param nanos how long it took, without the time of its client
   */
  void slow(RunningStatement statement, String plan, long nanos);
}
