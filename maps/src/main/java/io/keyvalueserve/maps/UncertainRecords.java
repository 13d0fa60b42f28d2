package io.keyvalueserve.maps;

import io.keyvalueserve.engine.Uncertain;

/** Records of logs that one thread waits for, and used by it only. */
public interface UncertainRecords extends Uncertain {
  /** The tracker for a member without logs. */
  UncertainRecords NONE =
      new UncertainRecords() {
        @Override
        public void add(int partition, long position) {
          throw new IllegalStateException("the member has no log");
        }

        @Override
        public long additions() {
          return 0;
        }

        @Override
        public void await(Waiter waiter) {
          waiter.certain();
        }
      };

  /** Waits for a partition's log up to there as well. */
  void add(int partition, long position);
}
