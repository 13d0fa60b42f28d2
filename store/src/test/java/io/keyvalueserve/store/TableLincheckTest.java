package io.keyvalueserve.store;

import io.keyvalueserve.memory.Bytes;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: readers without locks and the writer are linearizable for each key. Method: Lincheck in
 * stress mode. The writer changes one key, and between its changes makes the table grow and shrink
 * with others that nobody looks up; it clears and closes the table too.
 */
@Param(name = "number", gen = IntGen.class, conf = "1:9")
public class TableLincheckTest {
  private static final NativeHeap HEAP = NativeHeap.open(HeapConfig.dram(256 << 20), 4);
  private static final Deque<Table> OPEN = new ArrayDeque<>();
  private static final int PASSERS = 40;

  private final Table table = open();
  private final byte[] key = {1};
  private boolean closed;

  /** Lincheck makes many of these and ends none. */
  private static synchronized Table open() {
    if (OPEN.size() > 2) {
      OPEN.removeFirst().close();
    }
    Table table = new Table(HEAP, 0, 42);
    OPEN.addLast(table);
    return table;
  }

  @Test
  void readersAndTheWriterAreLinearizable() {
    new StressOptions()
        .iterations(20)
        .invocationsPerIteration(400)
        .threads(3)
        .actorsBefore(2)
        .actorsPerThread(5)
        .actorsAfter(1)
        .sequentialSpecification(Register.class)
        .minimizeFailedScenario(false)
        .check(TableLincheckTest.class);
  }

  @Operation
  public @Nullable Integer get() {
    int guard = HEAP.epochs().enter();
    try {
      long record = table.find(key, 0, 1, 0);
      if (record == 0) {
        return null;
      }
      byte[] value = new byte[Records.valueLength(record)];
      Records.copyValue(record, value, 0);
      return Bytes.getInt(value, 0);
    } finally {
      HEAP.epochs().exit(guard);
    }
  }

  @Operation(nonParallelGroup = "writer")
  public void put(int number) {
    if (!closed) {
      table.put(key, 0, 1, 0, 0, value(number), 0, 4, 0, new Attributes());
    }
  }

  @Operation(nonParallelGroup = "writer")
  public boolean replace(int number) {
    long record = table.find(key, 0, 1, 0);
    if (record != 0) {
      table.replaceValue(record, value(number), 0, 4, 0);
    }
    return record != 0;
  }

  @Operation(nonParallelGroup = "writer")
  public boolean remove() {
    long record = table.find(key, 0, 1, 0);
    return record != 0 && table.remove(record);
  }

  @Operation(nonParallelGroup = "writer")
  public void clear() {
    if (!closed) {
      table.clear();
    }
  }

  @Operation(nonParallelGroup = "writer")
  public void grow() {
    for (int i = 0; i < PASSERS && !closed; i++) {
      table.put(passer(i), 0, 2, 0, 0, key, 0, 1, 0, new Attributes());
    }
  }

  @Operation(nonParallelGroup = "writer")
  public void shrink() {
    for (int i = 0; i < PASSERS; i++) {
      long record = table.find(passer(i), 0, 2, 0);
      if (record != 0) {
        table.remove(record);
      }
    }
  }

  @Operation(nonParallelGroup = "writer", runOnce = true)
  public void close() {
    table.close();
    closed = true;
  }

  private static byte[] value(int number) {
    return new byte[] {
      (byte) number, (byte) (number >>> 8), (byte) (number >>> 16), (byte) (number >>> 24)
    };
  }

  private static byte[] passer(int i) {
    return new byte[] {2, (byte) i};
  }

  /** What one key should be. */
  public static final class Register {
    private @Nullable Integer number;
    private boolean closed;

    public @Nullable Integer get() {
      return number;
    }

    public void put(int next) {
      if (!closed) {
        number = next;
      }
    }

    public boolean replace(int next) {
      if (number == null) {
        return false;
      }
      number = next;
      return true;
    }

    public boolean remove() {
      boolean there = number != null;
      number = null;
      return there;
    }

    public void clear() {
      number = null;
    }

    public void grow() {}

    public void shrink() {}

    public void close() {
      number = null;
      closed = true;
    }
  }
}
