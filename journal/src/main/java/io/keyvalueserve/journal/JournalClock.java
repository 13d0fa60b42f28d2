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

  /** For measuring: nanoseconds since some moment. */
  long nanoTime();

  /** For expiry: milliseconds since 1970. */
  long currentTimeMillis();
}
