package io.keyvalueserve.grid.restart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.PartitionTableView;
import com.hazelcast.internal.partition.ReadonlyInternalPartition;
import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.journal.JournalConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what goes wrong with the answer to one who waits for the log stops neither the log nor the
 * partition table, nor those who wait beside him.
 */
@Timeout(60)
final class CertainWritesTest {
  private static final int PARTITION = 0;
  private static final byte[] PAYLOAD = "key-value".getBytes(UTF_8);

  @TempDir private Path directory;

  private static KeptTable table(int version) {
    InternalPartition[] rows = {
      new ReadonlyInternalPartition(
          new PartitionReplica[InternalPartition.MAX_REPLICA_COUNT], PARTITION, version)
    };
    return new KeptTable(new PartitionTableView(rows), Map.of(), Map.of(), Set.of());
  }

  private static long put(Journal journal) {
    return journal.put(PARTITION, journal.map("orders"), 0, 0, PAYLOAD, 0, 3);
  }

  private static void refuse() {
    throw new IllegalStateException("he was answered before");
  }

  private static void unexpected(Exception e) {
    throw new AssertionError(e);
  }

  @Test
  void whoCannotBeToldHarmsNobody() throws Exception {
    AtomicInteger version = new AtomicInteger(1);
    AtomicBoolean isKept = new AtomicBoolean();
    JournalConfig config = JournalConfig.of("cluster", "member", PartitionLog.FORMAT, 1);
    try (PartitionTableKeeper keeper = new PartitionTableKeeper(directory)) {
      keeper.write(table(1));
      keeper.follow(() -> isKept.get() ? table(2) : table(1), () -> {});
      MemberLog log =
          new MemberLog(
              new MapDurability(Durability.ALWAYS),
              keeper,
              partition -> version.get(),
              partition -> true,
              false);
      AtomicInteger told = new AtomicInteger();
      try (Journal journal = Journal.open(config, FileDisk.at(directory), new EmptySink())) {
        log.opened(journal);
        for (int round = 1; round <= 10; round++) {
          log.whenCertain(PARTITION, put(journal), CertainWritesTest::refuse, e -> refuse());
          log.whenCertain(
              PARTITION, put(journal), told::incrementAndGet, CertainWritesTest::unexpected);
          int all = round;
          await().until(() -> told.get() == all);
        }
        // the same where it is the partition table that is waited for
        version.set(2);
        isKept.set(true);
        log.whenCertain(PARTITION, put(journal), CertainWritesTest::refuse, e -> refuse());
        log.whenCertain(
            PARTITION, put(journal), told::incrementAndGet, CertainWritesTest::unexpected);
        await().until(() -> told.get() == 11);
        assertThat(keeper.isKept(PARTITION, 2)).isTrue();
      }
    }
  }
}
