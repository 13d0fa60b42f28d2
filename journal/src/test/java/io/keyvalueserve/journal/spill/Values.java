package io.keyvalueserve.journal.spill;

import io.keyvalueserve.journal.AlignedMemory;
import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Values in memory, to be written from there. */
final class Values implements AutoCloseable {
  private final AlignedMemory memory;

  Values(int bytes) {
    memory = AlignedMemory.allocate(bytes);
  }

  /** Writes values as one batch; returns their handles, 0 for those that were not written. */
  List<Long> write(SpillArea area, List<byte[]> values) throws IOException {
    SpillBatch batch = batch(values);
    area.write(batch);
    return handles(batch);
  }

  long write(SpillArea area, byte[] value) throws IOException {
    Memory.copy(value, 0, memory.address(), value.length);
    return area.write(memory.address(), value.length);
  }

  SpillBatch batch(List<byte[]> values) {
    SpillBatch batch = new SpillBatch();
    long at = memory.address();
    for (byte[] value : values) {
      Memory.copy(value, 0, at, value.length);
      batch.add(at, value.length);
      at += value.length;
    }
    return batch;
  }

  static List<Long> handles(SpillBatch batch) {
    List<Long> handles = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      handles.add(batch.handle(i));
    }
    return handles;
  }

  static byte[] read(SpillArea area, long handle, int length) throws IOException {
    byte[] value = new byte[length];
    area.read(handle, length, value, 0);
    return value;
  }

  static byte[] random(Random random, int length) {
    byte[] value = new byte[length];
    random.nextBytes(value);
    return value;
  }

  /** Mostly short, some of many pages. */
  static byte[] random(Random random) {
    return random(
        random,
        switch (random.nextInt(8)) {
          case 0 -> random.nextInt(20);
          case 1 -> 2030 + random.nextInt(40);
          case 2 -> 4070 + random.nextInt(30);
          case 3 -> random.nextInt(60_000);
          case 4 -> random.nextInt(4_000);
          default -> 100;
        });
  }

  @Override
  public void close() {
    memory.close();
  }
}
