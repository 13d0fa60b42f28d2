package io.keyvalueserve.grid.snapshot;

import static io.keyvalueserve.engine.Batches.utf8;
import static io.keyvalueserve.grid.snapshot.SnapshotGrid.ACME;
import static io.keyvalueserve.grid.snapshot.SnapshotGrid.COPY;
import static io.keyvalueserve.grid.snapshot.SnapshotGrid.get;
import static io.keyvalueserve.grid.snapshot.SnapshotGrid.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.grid.catalogue.SnapshotPlan;
import io.keyvalueserve.snapshots.Manifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a tenant with a plan can be restored to any instant. Method: a client writes, and notes the
 * time behind each answer; each of these instants is restored as another tenant.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class PointInTimeTest {
  private static final int STEPS = 6;
  private static final int KEYS = 60;

  @TempDir private Path directory;

  @Test
  void anyInstantCanBeRestored() throws Exception {
    try (SnapshotGrid grid = new SnapshotGrid(3, 31, directory)) {
      set(grid.map(0, ACME, "early"), "k", "before the plan");
      var _ = grid.keys().findOrCreate(ACME);
      SnapshotPlan plan =
          grid.plans().set(ACME, grid.address(), Duration.ofHours(1), Duration.ofDays(1), true);
      awaitBase(grid, plan, 0);
      List<Long> instants = write(grid, 0);
      awaitCovered(grid, plan, instants.getLast());
      for (int step = 0; step < STEPS; step++) {
        requireStep(grid, instants.get(step), step);
      }

      long firstCut = grid.snapshots(0).list(ACME, grid.address()).getFirst().cutMillis();
      assertThatThrownBy(() -> restore(grid, firstCut - 1))
          .isInstanceOf(SnapshotFailure.class)
          .hasMessageContaining("no snapshot from before")
          .hasMessageContaining(Instant.ofEpochMilli(firstCut).toString());
      assertThatThrownBy(() -> restore(grid, System.currentTimeMillis() + 60_000))
          .isInstanceOf(SnapshotFailure.class)
          .hasMessageContaining("is in the future");

      long killedAt = System.currentTimeMillis();
      grid.terminate(2);
      awaitBase(grid, plan, killedAt);
      List<Long> later = write(grid, STEPS);
      awaitCovered(grid, plan, later.getLast());
      requireStep(grid, later.get(1), STEPS + 1);
      requireStep(grid, instants.get(2), 2);

      deleteSegments();
      assertThatThrownBy(() -> restore(grid, later.getLast()))
          .isInstanceOf(SnapshotFailure.class)
          .hasMessageContaining("missing");
    }
  }

  /** Waits for a snapshot upon which all members archive changes. */
  private static void awaitBase(SnapshotGrid grid, SnapshotPlan plan, long sinceMillis) {
    await()
        .until(
            () -> {
              Manifest newest = grid.snapshots(0).newest(ACME, grid.address());
              return newest != null
                  && newest.cutMillis() > sinceMillis
                  && grid.snapshots(0).status(plan).coveredMillis() > newest.cutMillis();
            });
    assertThat(restore(grid, grid.snapshots(0).status(plan).coveredMillis())).isPositive();
  }

  private static void awaitCovered(SnapshotGrid grid, SnapshotPlan plan, long millis) {
    await()
        .untilAsserted(
            () ->
                assertThat(grid.snapshots(0).status(plan))
                    .satisfies(status -> assertThat(status.coveredMillis()).isGreaterThan(millis)));
  }

  /** Writes in steps; returns the instant behind each. */
  private static List<Long> write(SnapshotGrid grid, int from) {
    KeyMap map = grid.map(1, ACME, "steps");
    List<Long> instants = new ArrayList<>();
    for (int step = from; step < from + STEPS; step++) {
      if (step % 3 == 2) {
        grid.grid().member(0).getMap("acme/steps").clear();
      }
      for (int key = 0; key < KEYS; key++) {
        set(map, "k" + key, Integer.toString(step));
      }
      assertThat(
              Batches.texts(
                  map, new KeyCommand.Remove(utf8("k" + (step + KEYS - 1) % KEYS), false)))
          .containsExactly("Applied");
      instants.add(System.currentTimeMillis());
      pass();
    }
    return instants;
  }

  private static void pass() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() <= now) {
      Thread.onSpinWait();
    }
  }

  private static long restore(SnapshotGrid grid, long millis) {
    grid.forgetCopy();
    return grid.snapshots(0).restoreAt(grid.key(), grid.address(), millis, COPY, put -> {});
  }

  private static void requireStep(SnapshotGrid grid, long millis, int step) {
    assertThat(restore(grid, millis)).isEqualTo(KEYS); // one was removed, and one is in another map
    KeyMap map = grid.map(0, COPY, "steps");
    for (int key = 0; key < KEYS; key++) {
      assertThat(get(map, "k" + key))
          .as("k" + key)
          .isEqualTo(key == (step + KEYS - 1) % KEYS ? null : Integer.toString(step));
    }
    assertThat(get(grid.map(0, COPY, "early"), "k")).isEqualTo("before the plan");
  }

  /** Deletes the newest segment of each session. */
  private void deleteSegments() throws Exception {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path session :
          files
              .filter(path -> Files.isDirectory(path) && path.toString().contains("/changes/"))
              .toList()) {
        try (Stream<Path> segments = Files.list(session)) {
          Path newest = segments.sorted().toList().getLast();
          Files.delete(newest);
        }
      }
    }
  }

  @Test
  void oldSnapshotsAreDeletedAndTheirArchiveWithThem() throws Exception {
    try (SnapshotGrid grid = new SnapshotGrid(1, 7, directory)) {
      set(grid.map(0, ACME, "all"), "k", "1");
      Manifest first = grid.create();
      set(grid.map(0, ACME, "all"), "k", "2");
      Manifest second = grid.create();
      set(grid.map(0, ACME, "all"), "k", "3");
      Manifest third = grid.create();
      assertThat(old(grid, third, true, id -> true)).as("one is being restored").isEmpty();
      assertThat(old(grid, third, true, id -> false)).containsExactly(first.id());
      assertThat(grid.snapshots(0).list(ACME, grid.address()))
          .extracting(Manifest.Header::id)
          .as("changes are upon the second one")
          .containsExactly(second.id(), third.id());
      assertThat(old(grid, third, false, id -> false)).containsExactly(second.id());
      assertThat(grid.snapshots(0).list(ACME, grid.address()))
          .extracting(Manifest.Header::id)
          .containsExactly(third.id());
      assertThat(grid.restore(third)).isEqualTo(1);
    }
  }

  private static List<String> old(
      SnapshotGrid grid, Manifest before, boolean archive, Predicate<String> used) {
    return grid.snapshots(0).deleteOld(ACME, grid.address(), before.cutMillis(), archive, used);
  }
}
