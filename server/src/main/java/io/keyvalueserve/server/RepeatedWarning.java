package io.keyvalueserve.server;

import io.keyvalueserve.tenancy.log.LogLimit;
import org.slf4j.Logger;

/**
 * Warns that something failed which is tried again every few seconds: one line a minute, however
 * long it fails. Thread-safe.
 */
final class RepeatedWarning {
  private final Logger log;
  private final String what;
  private final LogLimit limit = LogLimit.aMinute(1);

  /**
   * Has warned of nothing yet.
   *
   * @param what a sentence that says what fails
   */
  RepeatedWarning(Logger log, String what) {
    this.log = log;
    this.what = what;
  }

  /** Warns of a failure, or counts it for the next line. */
  void because(RuntimeException failure) {
    long leftOut = limit.take();
    if (leftOut >= 0) {
      log.warn("{}: {}; failures since the last line: {}", what, failure.toString(), leftOut);
    }
  }
}
