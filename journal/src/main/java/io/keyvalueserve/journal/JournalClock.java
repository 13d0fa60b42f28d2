package io.keyvalueserve.journal;

/** The time, injected so that a simulation can tell it. Thread-safe. */
public interface JournalClock {
  /** The machine's. */
  JournalClock SYSTEM =
      new JournalClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
          return System.currentTimeMillis();
        }
      };

  /** Returns the time for measuring, in nanoseconds since some moment. */
  long nanoTime();

  /** Returns the time for expiry, in milliseconds since 1970. */
  long currentTimeMillis();
}
