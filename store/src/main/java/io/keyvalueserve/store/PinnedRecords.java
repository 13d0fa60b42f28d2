package io.keyvalueserve.store;

import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.Pin;
import java.util.HashMap;
import java.util.Map;

/** The records of a table that somebody looks at without a guard. By the table's writer. */
final class PinnedRecords {
  /** More are looked through for those that nobody has any more, when another one comes. */
  private static final int FEW = 16;

  private final Map<Long, Pin> pins = new HashMap<>();
  private int mostUnseen = FEW;

  /** Pins a record, once more if it is pinned. */
  Pin pin(NativeHeap heap, int stripe, long record) {
    if (pins.size() >= mostUnseen) {
      pins.values().removeIf(pin -> !pin.isTaken());
      mostUnseen = Math.max(FEW, 2 * pins.size());
    }
    Pin pin =
        pins.computeIfAbsent(record, block -> new Pin(heap, stripe, block, Records.bytes(block)));
    pin.take();
    return pin;
  }

  /** Returns the number of records that are known. Some of them may not be pinned any more. */
  int size() {
    return pins.size();
  }

  /** Forgets a record that leaves the table, and returns whether whoever has it pinned frees it. */
  boolean keeps(long record) {
    if (pins.isEmpty()) {
      return false;
    }
    Pin pin = pins.remove(record);
    return pin != null && pin.abandon();
  }
}
