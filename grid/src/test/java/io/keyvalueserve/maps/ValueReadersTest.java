package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.journal.spill.SpillConfig;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who reads for operations that wait. */
final class ValueReadersTest {
  private static final int LENGTH = 100;
  private static final int MANY = 2_000;

  private final HeldDisk disk = new HeldDisk();
  private final SpillArea area;
  private final ValueReaders readers;
  private final long handle;

  ValueReadersTest() throws IOException {
    area = SpillArea.open(disk, "values", SpillConfig.of(64 << 20));
    readers = new ValueReaders(area);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(LENGTH);
      handle = area.write(value.address(), LENGTH);
    }
  }

  @AfterEach
  void close() throws IOException {
    disk.release();
    assertThat(readers.awaitEnd()).isTrue();
    area.close();
  }

  /** Waits, and counts what was read for it. */
  private static final class Counter implements ValueReaders.Waiting {
    private final AtomicInteger read = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    @Override
    public void read() {
      int _ = read.incrementAndGet();
    }

    @Override
    public void end() {
      int _ = ended.incrementAndGet();
    }
  }

  private ColdRead one() {
    return new ColdRead(handle, DataForm.BYTES, LENGTH);
  }

  @Test
  void aTenantThatAsksForManyDoesNotHoldAnotherUp() {
    Counter many = new Counter();
    Counter few = new Counter();
    disk.hold();
    for (int i = 0; i < MANY; i++) {
      assertThat(readers.read("many", List.of(one()), many)).isNotNull();
    }
    await().until(() -> disk.hanging() == 8);
    assertThat(readers.read("few", List.of(one()), few)).isNotNull();
    int allowed = 0;
    while (few.read.get() == 0 && allowed < MANY) {
      disk.allow(1);
      allowed++;
      int all = allowed;
      await().until(() -> many.read.get() + few.read.get() == all);
    }
    assertThat(few.read).hasValue(1);
    assertThat(many.read.get()).isLessThan(3 * 8);
    disk.release();
    await().until(() -> many.read.get() == MANY);
  }

  @Test
  void aTenantThatHasTooManyWaitingIsSentBackAndOthersAreNot() {
    Counter counter = new Counter();
    disk.hold();
    List<ValueReaders.Claim> claims = new ArrayList<>();
    ValueReaders.Claim claim = readers.read("many", List.of(one(), one()), counter);
    while (claim != null && claims.size() < 1 << 20) {
      claims.add(claim);
      claim = readers.read("many", List.of(one(), one()), counter);
    }
    assertThat(claim).isNull();
    assertThat(readers.read("few", List.of(one()), new Counter())).isNotNull();
    disk.release();
    await().until(() -> counter.read.get() == claims.size());
    assertThat(readers.read("many", List.of(one()), counter)).isNull();
    claims.forEach(ValueReaders.Claim::end);
    assertThat(readers.read("many", List.of(one()), counter)).isNotNull();
  }

  @Test
  void whoWaitsIsToldOfTheEndAndWhoHasLeftIsNot() {
    Counter waits = new Counter();
    Counter left = new Counter();
    Counter late = new Counter();
    readers.join(waits);
    readers.join(left);
    readers.leave(left);
    readers.end();
    readers.join(late);
    assertThat(waits.ended).hasValue(1);
    assertThat(left.ended).hasValue(0);
    assertThat(late.ended).hasValue(1);
    assertThat(readers.isOpen()).isFalse();
  }
}
