package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.space.TestGrid;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.journal.spill.SpillConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values on the disks of an owner and of its backup. */
final class ColdBackupTest {
  private static final long AREA_BYTES = 64L << 20;
  private static final String OLD = "the value that is on the disks";

  private final HeldDisk disk = new HeldDisk();
  private final TestGrid grid = new TestGrid(2, 1, HdGrid::common, this::prepare);
  private final IMap<String, String> map = grid.member(0).getMap("m");
  private int areas;

  @AfterEach
  void close() {
    grid.close();
  }

  private void prepare(NativeMaps maps) {
    try {
      areas++;
      maps.spillTo(SpillArea.open(disk, "values-" + areas, SpillConfig.of(AREA_BYTES)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aWriteReadsWhatItReplacesOnNeitherMember() {
    await().until(() -> grid.member(0).getPartitionService().isClusterSafe());
    map.set("k", OLD);
    spill(0);
    spill(1);
    int before = disk.reads();
    map.set("k", "new");
    assertThat(map.get("k")).isEqualTo("new");
    assertThat(disk.reads()).isEqualTo(before);
    assertThat(store(0).entries().spilled().isEmpty()).isTrue();
    assertThat(store(1).entries().spilled().isEmpty()).isTrue();
  }

  private NativeRecordStore store(int member) {
    return Objects.requireNonNull(grid.maps(member).local().store(0, map.getName()));
  }

  private void spill(int member) {
    NativeMaps maps = grid.maps(member);
    ValueSpiller spiller =
        new ValueSpiller(maps, Objects.requireNonNull(maps.spillArea()), () -> {}, 1);
    await()
        .until(
            () -> {
              Freed _ = spiller.take(List.of(store(member)), null, Long.MAX_VALUE);
              return store(member).entries().spilled().count() == 1;
            });
  }
}
