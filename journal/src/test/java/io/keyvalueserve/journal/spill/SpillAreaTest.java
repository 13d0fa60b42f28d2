package io.keyvalueserve.journal.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.DirectoryRefusedException;
import io.keyvalueserve.journal.NoSpaceException;
import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: the corners of an area: full, failing, damaged, used wrongly. */
class SpillAreaTest {
  private static final int FILE_BYTES = 1 << 20;
  private static final SpillConfig CONFIG = new SpillConfig(4 * FILE_BYTES, FILE_BYTES);

  private final Random random = new Random(11);
  private final SimulatedDisk disk = new SimulatedDisk(4096);
  private final SpillArea area = SpillArea.open(disk, "spill", CONFIG);
  private final Values values = new Values(8 << 20);

  SpillAreaTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    disk.setFaults(Faults.NONE);
    area.close();
    area.close();
    values.close();
    assertThat(disk.list("spill")).isEmpty();
    assertThat(disk.isLocked()).isFalse();
  }

  private List<byte[]> values(int count, int length) {
    List<byte[]> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(Values.random(random, length));
    }
    return made;
  }

  private List<Long> fill(int length) {
    List<Long> handles = new ArrayList<>();
    while (true) {
      SpillBatch batch = values.batch(values(Math.max(1, 100_000 / (length + 1)), length));
      boolean full = false;
      try {
        area.write(batch);
      } catch (IOException e) {
        assertThat(e)
            .isInstanceOf(SpillFullException.class)
            .hasMessageContaining("the spill area is full: value of " + length + " bytes")
            .hasMessageContaining("capacity=4194304");
        full = true;
      }
      Values.handles(batch).stream().filter(each -> each != 0).forEach(handles::add);
      if (full) {
        return handles;
      }
    }
  }

  @Test
  void valuesOfEveryLengthComeBack() throws IOException {
    for (int length = 0; length < 20_000; length += 1 + random.nextInt(9)) {
      byte[] value = Values.random(random, length);
      long handle = values.write(area, value);
      assertThat(Values.read(area, handle, length)).isEqualTo(value);
      area.free(handle, length);
    }
    byte[] longest = Values.random(random, FILE_BYTES - SpillFrame.HEADER_BYTES);
    assertThat(Values.read(area, values.write(area, longest), longest.length)).isEqualTo(longest);
    assertThatThrownBy(() -> values.write(area, new byte[longest.length + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("length=1048561 fileBytes=1048576; make fileBytes larger");
  }

  @Test
  void aFullAreaHoldsNearlyItsCapacityAndTakesAsMuchAgainWhenFreed() throws IOException {
    for (int length : new int[] {100, 1 << 10, 3_000, 4 << 10, 8 << 10, 65_536}) {
      List<Long> handles = fill(length);
      long frames = (long) handles.size() * (length + SpillFrame.HEADER_BYTES);
      assertThat(frames).as("length %d", length).isGreaterThan(CONFIG.capacityBytes() * 4 / 5);
      Collections.shuffle(handles, random);
      List<Long> freed = handles.subList(0, handles.size() / 2);
      freed.forEach(each -> area.free(each, length));
      List<Long> again = fill(length);
      assertThat(again).hasSameSizeAs(freed);
      again.forEach(each -> area.free(each, length));
      handles.subList(freed.size(), handles.size()).forEach(each -> area.free(each, length));
      assertThat(area.usedBytes()).isZero();
    }
  }

  /** Random frees must not leave pages behind that hold a value or two each. */
  @Test
  void smallValuesThatComeAndGoTakeAtMostAboutTwiceTheirSpace() throws IOException {
    int length = 100;
    List<Long> live = new ArrayList<>(values.write(area, values(8_000, length)));
    for (int round = 0; round < 300; round++) {
      for (int i = 0; i < 200; i++) {
        int at = random.nextInt(live.size());
        area.free(live.get(at), length);
        live.set(at, live.getLast());
        live.removeLast();
      }
      live.addAll(values.write(area, values(200, length)));
      assertThat(area.usedBytes()).isLessThan(8_000L * 128 * 2 + 2 * SpillSpace.SLAB_BYTES);
    }
  }

  @Test
  void aBatchIsWrittenInFewWritesAndOneValueAloneNeedsNoRead() throws IOException {
    values.write(area, values(10_000, 100));
    assertThat(area.statistics().writes()).isLessThanOrEqualTo(8);
    for (int i = 0; i < 100; i++) {
      values.write(area, Values.random(random, 100));
    }
    assertThat(area.statistics().blocksReread()).isZero();
    assertThat(area.statistics().writes()).isLessThanOrEqualTo(108);
  }

  @Test
  void aWriteThatFailsLosesItsPlaceAndNothingElse() throws IOException {
    List<byte[]> before = values(50, 300);
    List<Long> handles = values.write(area, before);
    disk.setFaults(failing(Faults.Operation.WRITE));
    SpillBatch batch = values.batch(values(40, 300));
    assertThatThrownBy(() -> area.write(batch))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("write file=sim:/spill/00000000.spill offset=")
        .hasMessageContaining("the disk says no");
    assertThat(Values.handles(batch)).containsOnly(0L);
    assertThat(area.statistics().lostBytes()).isPositive();
    disk.setFaults(Faults.NONE);
    byte[] value = Values.random(random, 300);
    assertThat(Values.read(area, values.write(area, value), 300)).isEqualTo(value);
    for (int i = 0; i < handles.size(); i++) {
      assertThat(Values.read(area, handles.get(i), 300)).isEqualTo(before.get(i));
    }
  }

  @Test
  void aReadThatFailsIsToldAndMayBeTriedAgain() throws IOException {
    byte[] value = Values.random(random, 50_000);
    long handle = values.write(area, value);
    disk.setFaults(failing(Faults.Operation.READ));
    assertThatThrownBy(() -> Values.read(area, handle, 50_000))
        .hasMessageContaining("read file=sim:/spill/00000000.spill offset=0")
        .hasMessageContaining("the disk says no");
    disk.setFaults(Faults.NONE);
    assertThat(Values.read(area, handle, 50_000)).isEqualTo(value);
  }

  @Test
  void aFullDiskRefusesUntilThereIsRoom() throws IOException {
    disk.setCapacity(FILE_BYTES / 2);
    byte[] value = Values.random(random, 700);
    assertThatThrownBy(() -> values.write(area, value))
        .isInstanceOf(SpillFullException.class)
        .hasMessageContaining("the disk of the spill area is full: no space for sim:/spill/");
    disk.setCapacity(Long.MAX_VALUE);
    assertThat(Values.read(area, values.write(area, value), 700)).isEqualTo(value);
  }

  @Test
  void aBatchAsksAFullDiskOnce() {
    AtomicInteger creations = new AtomicInteger();
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.CREATE) {
            creations.incrementAndGet();
          }
        });
    disk.setCapacity(FILE_BYTES / 2);
    assertThatThrownBy(() -> values.write(area, values(100, 5_000)))
        .isInstanceOf(SpillFullException.class);
    assertThat(creations).hasValue(1);
  }

  @Test
  void aDiskThatTurnsOutFullWhenWrittenLosesNoPlace() throws IOException {
    disk.setFaults(
        (operation, name, offset) -> {
          if (operation == Faults.Operation.WRITE) {
            throw new NoSpaceException("no space for " + name);
          }
        });
    assertThatThrownBy(() -> values.write(area, values(20, 400)))
        .isInstanceOf(NoSpaceException.class);
    assertThat(area.statistics().lostBytes()).isZero();
    assertThat(area.usedBytes()).isZero();
  }

  @Test
  void whoeverUsesAHandleWronglyIsTold() throws IOException {
    long shortOne = values.write(area, Values.random(random, 100));
    long longOne = values.write(area, Values.random(random, 50_000));
    assertThatThrownBy(() -> area.free(shortOne, 50_000)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> area.free(longOne, 100)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> area.free(shortOne, 1_000)).isInstanceOf(IllegalStateException.class);
    area.free(longOne, 50_000);
    assertThatThrownBy(() -> area.free(longOne, 50_000)).isInstanceOf(IllegalStateException.class);
    long other = values.write(area, Values.random(random, 100));
    area.free(shortOne, 100);
    assertThatThrownBy(() -> area.free(shortOne, 100)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Values.read(area, 0, 100)).hasMessageContaining("no such value");
    assertThatThrownBy(() -> Values.read(area, other, 99))
        .isInstanceOf(SpillDamageException.class)
        .hasMessageContaining("length=100");
  }

  @Test
  void aHandleThatWasFreedIsNotTakenForWhatIsThereNow() throws IOException {
    long old = values.write(area, Values.random(random, 50_000));
    area.free(old, 50_000);
    values.write(area, Values.random(random, 50_000));
    assertThatThrownBy(() -> Values.read(area, old, 50_000))
        .isInstanceOf(SpillDamageException.class)
        .hasMessageContaining("file=sim:/spill/00000000.spill offset=0 expected handle=");
  }

  @Test
  void oneAreaHasADirectoryAtATime() {
    assertThatThrownBy(() -> SpillArea.open(disk, "spill", CONFIG))
        .isInstanceOf(DirectoryRefusedException.class);
  }

  @Test
  void aClosedAreaSaysSo() throws IOException {
    long handle = values.write(area, new byte[10]);
    area.close();
    assertThatThrownBy(() -> Values.read(area, handle, 10)).hasMessage("the spill area is closed");
    assertThatThrownBy(() -> values.write(area, new byte[10]))
        .hasMessage("the spill area is closed");
  }

  @Test
  void figuresThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> new SpillConfig(1 << 20, 1000))
        .hasMessage("fileBytes is a multiple of 262144 up to 1073741824: 1000");
    assertThatThrownBy(() -> new SpillConfig(1 << 18, 1 << 20))
        .hasMessageStartingWith("capacityBytes is 1048576 to ");
    assertThat(SpillConfig.of(1L << 40).fileBytes()).isEqualTo(256 << 20);
    assertThat(SpillConfig.of(300_000).fileBytes()).isEqualTo(262_144);
  }

  /** Every bit that flips is in nobody's value, or found by whoever reads that value. */
  @Test
  void noBitThatFlipsIsReadAsAValue() throws IOException {
    try (SpillArea roomy =
        SpillArea.open(disk, "roomy", new SpillConfig(16L * FILE_BYTES, FILE_BYTES))) {
      List<byte[]> written = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        written.add(Values.random(random));
      }
      flipBits(roomy, written, values.write(roomy, written));
    }
  }

  private void flipBits(SpillArea roomy, List<byte[]> written, List<Long> handles)
      throws IOException {
    AtomicInteger found = new AtomicInteger();
    for (int i = 0; i < 2_000; i++) {
      int at = random.nextInt(handles.size());
      long handle = handles.get(at);
      byte[] value = written.get(at);
      long page = SpillHandle.page(handle);
      int slot = 0;
      if (value.length + SpillFrame.HEADER_BYTES <= SlotClass.MOST_BYTES) {
        int number = SlotClass.numberFor(SpillFrame.bytes(value.length));
        slot = SpillHandle.slot(handle) * SlotClass.slotBytes(number);
      }
      int into = random.nextInt(value.length + SpillFrame.HEADER_BYTES);
      String file = "roomy/%08d.spill".formatted(page / CONFIG.pagesPerFile());
      long offset = page % CONFIG.pagesPerFile() * SpillSpace.PAGE_BYTES + slot;
      int xor = 1 << random.nextInt(8);
      disk.corrupt(file, offset + into, xor);
      assertThatThrownBy(() -> Values.read(roomy, handle, value.length))
          .isInstanceOf(SpillDamageException.class)
          .hasMessageContaining("file=sim:/" + file + " offset=" + offset);
      found.incrementAndGet();
      int other = random.nextInt(handles.size());
      if (other != at) {
        assertThat(Values.read(roomy, handles.get(other), written.get(other).length))
            .isEqualTo(written.get(other));
      }
      disk.corrupt(file, offset + into, xor);
    }
    assertThat(found).hasValue(2_000);
  }

  private static Faults failing(Faults.Operation which) {
    return (operation, name, offset) -> {
      if (operation == which) {
        throw new IOException("the disk says no");
      }
    };
  }
}
