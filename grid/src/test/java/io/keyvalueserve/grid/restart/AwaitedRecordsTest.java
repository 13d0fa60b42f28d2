package io.keyvalueserve.grid.restart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Uncertain;
import io.keyvalueserve.journal.Disk;
import io.keyvalueserve.journal.DiskFile;
import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.journal.JournalConfig;
import io.keyvalueserve.journal.JournalFailedException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Goal: who waits for records is told when those in all streams are certain, and not before. */
@Timeout(60)
final class AwaitedRecordsTest {
  private static final int STREAMS = 3;
  private static final byte[] PAYLOAD = "key-value".getBytes(UTF_8);

  @TempDir private Path directory;
  private final AtomicBoolean holds = new AtomicBoolean();
  private final AtomicBoolean fails = new AtomicBoolean();

  private static final class Told implements Uncertain.Waiter {
    private volatile boolean certain;
    private volatile Outcome.@Nullable Failure failure;

    @Override
    public void certain() {
      certain = true;
    }

    @Override
    public void failed(Outcome.Failure reason) {
      failure = reason;
    }

    boolean isTold() {
      return certain || failure != null;
    }
  }

  /** The file system, but syncs of files wait or fail if they are to. */
  private Disk disk() throws IOException {
    Disk real = FileDisk.at(directory);
    return proxy(
        Disk.class,
        real,
        (name, result) ->
            result instanceof DiskFile file
                ? proxy(DiskFile.class, file, (method, nothing) -> synced(method, nothing))
                : result);
  }

  private @Nullable Object synced(String method, @Nullable Object result) throws Exception {
    if (method.equals("sync")) {
      while (holds.get()) {
        Thread.sleep(1);
      }
      if (fails.get()) {
        throw new IOException("a bad disk");
      }
    }
    return result;
  }

  private interface After {
    @Nullable Object of(String method, @Nullable Object result) throws Exception;
  }

  private static <T> T proxy(Class<T> type, T real, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return after.of(method.getName(), method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private interface Use {
    void of(Journal journal, AwaitedRecords records) throws Exception;
  }

  private void run(Use use) throws Exception {
    JournalConfig config = JournalConfig.of("cluster", "member", PartitionLog.FORMAT, STREAMS);
    MemberLog log =
        new MemberLog(
            new MapDurability(Durability.ALWAYS),
            new PartitionTableKeeper(directory),
            partition -> 0,
            partition -> true,
            false);
    try (Journal journal = Journal.open(config, disk(), new EmptySink())) {
      log.opened(journal);
      try {
        use.of(journal, new AwaitedRecords(log));
      } finally {
        holds.set(false);
      }
    } catch (JournalFailedException e) {
      assertThat(fails).isTrue(); // it says so again when it is closed
    }
  }

  private static void put(Journal journal, AwaitedRecords records, int partition) {
    int map = journal.map("orders");
    records.add(partition, journal.put(partition, map, 0, 0, PAYLOAD, 0, 3));
  }

  /** Once its first chunks are there, a stream needs no syncs but for those who wait. */
  private static void writeOnce(Journal journal, AwaitedRecords records) {
    for (int partition = 0; partition < STREAMS; partition++) {
      put(journal, records, partition);
    }
    Told told = new Told();
    records.await(told);
    await().until(told::isTold);
  }

  @Test
  void whoHasNothingToWaitForIsToldAtOnce() throws Exception {
    run(
        (journal, records) -> {
          Told told = new Told();
          records.await(told);
          assertThat(told.certain).isTrue();
          assertThat(records.additions()).isZero();
        });
  }

  @Test
  void allStreamsAreWaitedFor() throws Exception {
    run(
        (journal, records) -> {
          writeOnce(journal, records);
          for (int round = 0; round < 20; round++) {
            holds.set(true);
            long before = records.additions();
            for (int partition = 0; partition <= round % (2 * STREAMS); partition++) {
              put(journal, records, partition);
            }
            assertThat(records.additions() - before).isEqualTo(1 + round % (2 * STREAMS));
            Told told = new Told();
            records.await(told);
            Told later = new Told();
            records.await(later); // nothing was added since
            assertThat(later.certain).isTrue();
            assertThat(told.isTold()).isFalse();
            holds.set(false);
            await().until(told::isTold);
            assertThat(told.certain).isTrue();
          }
        });
  }

  @Test
  void aDiskThatFailsIsTold() throws Exception {
    run(
        (journal, records) -> {
          writeOnce(journal, records);
          put(journal, records, 1);
          put(journal, records, 2);
          fails.set(true);
          Told told = new Told();
          records.await(told);
          await().until(told::isTold);
          assertThat(told.certain).isFalse();
          assertThat(told.failure).isNotNull();
        });
  }
}
