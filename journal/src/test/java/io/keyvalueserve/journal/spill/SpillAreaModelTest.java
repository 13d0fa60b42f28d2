package io.keyvalueserve.journal.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.AlignedMemory;
import io.keyvalueserve.journal.NoSpaceException;
import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Goal: an area is a map from handles to values, whatever the disk does. Method: random batches,
 * reads, frees, full disks, failing operations and reopenings, beside a plain map.
 */
class SpillAreaModelTest {
  private static final int FILE_BYTES = 512 << 10;

  @Property(tries = 100)
  void isAMapFromHandlesToValues(@ForAll long seed) throws IOException {
    long before = AlignedMemory.outstandingBytes();
    Run run = new Run(new Random(seed));
    try (Values values = new Values(4 << 20)) {
      for (int i = 0; i < 120; i++) {
        run.step(values);
      }
      run.compare();
      run.freeAll();
    }
    assertThat(run.area.statistics().values()).isZero();
    if (!run.failed) {
      assertThat(run.area.usedBytes()).isZero();
    }
    run.area.close();
    assertThat(run.disk.openFiles()).isZero();
    assertThat(AlignedMemory.outstandingBytes()).isEqualTo(before);
  }

  /** One history. */
  private static final class Run {
    private final Random random;
    private final SimulatedDisk disk;
    private final SpillConfig config;
    private final Map<Long, byte[]> model = new HashMap<>();
    private final List<Long> handles = new ArrayList<>();
    private SpillArea area;
    private int reads;
    private int failPercent;
    private boolean failed;

    Run(Random random) throws IOException {
      this.random = random;
      disk = new SimulatedDisk(random.nextBoolean() ? 512 : 4096);
      config =
          new SpillConfig((1L + random.nextInt(40)) * FILE_BYTES + random.nextInt(99), FILE_BYTES);
      area = SpillArea.open(disk, "spill", config);
      disk.setFaults(this::fault);
    }

    private void fault(Faults.Operation operation, String name, long offset) throws IOException {
      reads += operation == Faults.Operation.READ ? 1 : 0;
      boolean mayFail =
          operation == Faults.Operation.READ
              || operation == Faults.Operation.WRITE
              || operation == Faults.Operation.CREATE;
      if (mayFail && random.nextInt(100) < failPercent) {
        failed = true;
        throw new IOException("fault at " + name + " " + offset);
      }
    }

    private void step(Values values) throws IOException {
      failPercent = random.nextInt(5) == 0 ? 30 : 0;
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> free();
        case 3, 4 -> read();
        case 5 -> disk.setCapacity(random.nextBoolean() ? Long.MAX_VALUE : FILE_BYTES);
        case 6 -> {
          if (random.nextInt(20) == 0) {
            reopen();
          }
        }
        default -> write(values);
      }
      assertThat(area.usedBytes()).isBetween(liveBytes(), area.capacityBytes());
      assertThat(area.statistics().values()).isEqualTo(model.size());
    }

    private long liveBytes() {
      return model.values().stream().mapToLong(each -> each.length).sum();
    }

    private void write(Values values) {
      List<byte[]> written = new ArrayList<>();
      for (int i = random.nextInt(30); i >= 0; i--) {
        written.add(Values.random(random));
      }
      SpillBatch batch = values.batch(written);
      boolean threw = false;
      try {
        area.write(batch);
      } catch (IOException e) {
        threw = true;
        if (!(e instanceof SpillFullException || e instanceof NoSpaceException)) {
          assertThat(e).hasMessageContaining("fault at spill/");
        }
      }
      assertThat(Values.handles(batch).contains(0L)).isEqualTo(threw);
      for (int i = 0; i < written.size(); i++) {
        long handle = batch.handle(i);
        if (handle != 0) {
          assertThat(model.put(handle, written.get(i))).isNull();
          handles.add(handle);
        }
      }
    }

    private void read() throws IOException {
      if (handles.isEmpty()) {
        return;
      }
      long handle = handles.get(random.nextInt(handles.size()));
      byte[] value = Objects.requireNonNull(model.get(handle));
      reads = 0;
      try {
        assertThat(Values.read(area, handle, value.length)).isEqualTo(value);
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("fault at spill/");
      }
      assertThat(reads).isEqualTo(1);
    }

    private void free() {
      int count = Math.min(handles.size(), random.nextInt(60));
      for (int i = 0; i < count; i++) {
        int at = random.nextInt(handles.size());
        long handle = handles.set(at, handles.getLast());
        handles.removeLast();
        byte[] value = Objects.requireNonNull(model.remove(handle));
        area.free(handle, value.length);
      }
    }

    private void freeAll() {
      model.forEach((handle, value) -> area.free(handle, value.length));
      model.clear();
    }

    private void compare() throws IOException {
      failPercent = 0;
      for (Map.Entry<Long, byte[]> each : model.entrySet()) {
        assertThat(Values.read(area, each.getKey(), each.getValue().length))
            .isEqualTo(each.getValue());
      }
    }

    private void reopen() throws IOException {
      failPercent = 0;
      compare();
      area.close();
      if (random.nextBoolean()) { // what a process that was killed leaves
        disk.setCapacity(Long.MAX_VALUE);
        disk.create("spill/00000000.spill", FILE_BYTES).close();
        disk.create("spill/00000077.spill", 4096).close();
      }
      model.clear();
      handles.clear();
      area = SpillArea.open(disk, "spill", config);
      assertThat(area.usedBytes()).isZero();
      assertThat(disk.list("spill")).isEmpty();
    }
  }
}
