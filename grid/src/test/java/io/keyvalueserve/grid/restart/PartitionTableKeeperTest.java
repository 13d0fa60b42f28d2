package io.keyvalueserve.grid.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.PartitionTableView;
import com.hazelcast.internal.partition.ReadonlyInternalPartition;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The partition table that a member keeps in a file. */
final class PartitionTableKeeperTest {
  @TempDir private Path directory;
  private final KeptTable table = table(4);

  private static KeptTable table(int version) {
    InternalPartition[] rows = new InternalPartition[3];
    for (int id = 0; id < rows.length; id++) {
      PartitionReplica[] replicas = new PartitionReplica[InternalPartition.MAX_REPLICA_COUNT];
      replicas[0] = new PartitionReplica(address("127.0.0.1", 5801), new UUID(id, version));
      if (id > 0) { // with a gap before it
        replicas[2] = new PartitionReplica(address("::1", 5802), new UUID(7, id));
      }
      rows[id] = new ReadonlyInternalPartition(replicas, id, version + id);
    }
    return new KeptTable(
        new PartitionTableView(rows), Map.of(1, version), Map.of(1, rows[1]), Set.of(0));
  }

  private static Address address(String host, int port) {
    try {
      return new Address(host, port);
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aTableIsReadAsItWasWritten() throws IOException {
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory)) {
      assertThat(keeper.read()).isEmpty();
      keeper.write(table(4));
    }
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory)) {
      assertThat(keeper.read()).contains(table(4));
    }
  }

  @Test
  void aTableOfAReleaseThatKeptNoRowsFromBeforeALossIsRead() throws IOException {
    byte[] bytes = PartitionRows.encode(KeptTable.of(table.table()));
    int older = bytes.length - Integer.BYTES; // how many such rows there are
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, older))) {
      assertThat(PartitionRows.read(in)).isEqualTo(KeptTable.of(table.table()));
    }
  }

  @Test
  void whateverIsChangedInTheFileIsNoticed() throws IOException {
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory)) {
      keeper.write(table(4));
      Path file = directory.resolve("partitions");
      byte[] good = Files.readAllBytes(file);
      for (int i = 0; i < good.length; i++) {
        byte[] bad = good.clone();
        bad[i] ^= 0x10;
        Path _ = Files.write(file, bad);
        assertThatThrownBy(keeper::read)
            .isInstanceOf(IOException.class)
            .hasMessageContaining(file.toString());
      }
      byte[] torn = java.util.Arrays.copyOf(good, good.length - 1);
      Path _ = Files.write(file, torn);
      assertThatThrownBy(keeper::read).isInstanceOf(IOException.class);
    }
  }

  @Test
  void whatWaitsForAVersionIsDoneWhenThatIsInTheFile() throws Exception {
    AtomicReference<KeptTable> now = new AtomicReference<>(table(1));
    AtomicInteger done = new AtomicInteger();
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory)) {
      keeper.write(now.get());
      keeper.follow(now::get, () -> {});
      keeper.whenKept(1, 2, done::incrementAndGet, PartitionTableKeeperTest::unexpected);
      assertThat(done).hasValue(1);
      now.set(table(5));
      keeper.whenKept(1, 6, done::incrementAndGet, PartitionTableKeeperTest::unexpected);
      Awaitility.await().untilAtomic(done, org.hamcrest.Matchers.equalTo(2));
      assertThat(new PartitionTableKeeper(directory).read()).contains(table(5));
      now.set(table(6));
      keeper.changed();
      Awaitility.await()
          .untilAsserted(
              () -> assertThat(new PartitionTableKeeper(directory).read()).contains(table(6)));
    }
  }

  @Test
  void whoWaitsForATableThatCannotBeWrittenIsTold() throws Exception {
    AtomicInteger told = new AtomicInteger();
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory, 1_000_000)) {
      keeper.follow(() -> table, PartitionTableKeeperTest::refuse);
      assertThat(keeper.awaitFirst()).isFalse();
      keeper.whenKept(1, 6, PartitionTableKeeperTest::unexpected, told::incrementAndGet);
      Awaitility.await().untilAtomic(told, org.hamcrest.Matchers.equalTo(1));
    }
  }

  @Test
  void whoWaitsIsToldAtOnceWhenTheLogHasFailedToo() throws Exception {
    AtomicInteger told = new AtomicInteger();
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory, Long.MAX_VALUE)) {
      keeper.follow(() -> table, PartitionTableKeeperTest::refuse);
      keeper.whenKept(1, 6, PartitionTableKeeperTest::unexpected, told::incrementAndGet);
      keeper.logFailed();
      Awaitility.await().untilAtomic(told, org.hamcrest.Matchers.equalTo(1));
      assertThat(keeper.keepNow()).as("it goes on without").isTrue();
    }
  }

  @Test
  void aMemberWhoseLogHasFailedDoesNotPassForTheOwnerOfWhatItGotSince() throws Exception {
    AtomicInteger told = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory)) {
      keeper.logFailed();
      keeper.follow(() -> table, () -> {}); // in which partition 1 has version 5
      keeper.whenKept(1, 6, PartitionTableKeeperTest::unexpected, told::incrementAndGet);
      keeper.whenKept(1, 5, done::incrementAndGet, PartitionTableKeeperTest::unexpected);
      Awaitility.await().untilAtomic(told, org.hamcrest.Matchers.equalTo(1));
      Awaitility.await().untilAtomic(done, org.hamcrest.Matchers.equalTo(1));
    }
  }

  @Test
  void whoWouldGiveSomethingUpIsToldThatThereIsNoTableAnyMore() throws Exception {
    AtomicReference<@Nullable KeptTable> now = new AtomicReference<>(table(1));
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory, Long.MAX_VALUE)) {
      keeper.write(table(1));
      keeper.follow(now::get, () -> {});
      assertThat(keeper.awaitKept(1, 2)).isTrue();
      now.set(null); // the member has left its cluster
      assertThat(keeper.awaitKept(1, 3)).as("not kept, and nobody waits for long").isFalse();
      assertThat(keeper.keepNow()).isFalse();
      now.set(table(2));
      assertThat(keeper.awaitKept(1, 3)).isTrue();
    }
    assertThat(new PartitionTableKeeper(directory).read()).contains(table(2));
  }

  @Test
  void theLastTableIsKeptAndNoLaterOne() throws Exception {
    AtomicReference<@Nullable KeptTable> now = new AtomicReference<>(table(1));
    AtomicInteger done = new AtomicInteger();
    AtomicInteger told = new AtomicInteger();
    CountDownLatch mayWrite = new CountDownLatch(1);
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory, Long.MAX_VALUE)) {
      keeper.follow(now::get, mayWrite::await);
      now.set(table(5));
      keeper.whenKept(1, 6, done::incrementAndGet, PartitionTableKeeperTest::unexpected);
      Thread ending = Thread.ofPlatform().start(keeper::keepLast);
      Awaitility.await().until(() -> ending.getState() == Thread.State.TIMED_WAITING);
      mayWrite.countDown();
      ending.join();
      Awaitility.await().untilAtomic(done, org.hamcrest.Matchers.equalTo(1)); // by who wrote it
      now.set(table(7));
      keeper.changed();
      assertThat(keeper.awaitKept(1, 8)).isFalse();
      keeper.whenKept(1, 8, PartitionTableKeeperTest::unexpected, told::incrementAndGet);
      assertThat(told).hasValue(1);
      keeper.whenKept(1, 6, done::incrementAndGet, PartitionTableKeeperTest::unexpected);
      assertThat(done).hasValue(2);
    }
    assertThat(new PartitionTableKeeper(directory).read()).contains(table(5));
  }

  @Test
  void whoWaitsWhenTheMemberIsDownIsToldThatItIsNotKept() throws Exception {
    AtomicInteger told = new AtomicInteger();
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory)) {
      keeper.follow(() -> null, () -> {});
      keeper.whenKept(1, 6, PartitionTableKeeperTest::unexpected, told::incrementAndGet);
    }
    assertThat(told).hasValue(1);
  }

  private static void unexpected() {
    throw new AssertionError("not what was to be told");
  }

  private static void refuse() {
    throw new IllegalStateException("the disk fails");
  }
}
