package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a processor that was kept has those threads that took it, and no other one of this process.
 * Method: what the kernel says of every thread of this JVM, its compilers and collectors too.
 */
class OwnProcessorsTest {
  private static final Path THREADS = Path.of("/proc/self/task");

  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private BitSet all = new BitSet();

  @BeforeEach
  void twoProcessorsAreNeeded() throws LibC.Failure {
    assumeTrue(System.getProperty("os.name").equals("Linux"));
    all = ThreadMask.of(ThreadMask.CALLER);
    assumeTrue(all.cardinality() > 1);
  }

  @Test
  void hasThreadsThatTookItAndNoOthers() throws Exception {
    int mine = all.nextSetBit(0);
    CountDownLatch end = new CountDownLatch(1);
    try (OwnProcessors kept = OwnProcessors.keep(List.of(mine))) {
      assertThat(kept.count()).isEqualTo(1);
      assertThat(masks()).noneMatch(mask -> mask.get(mine)).hasSizeGreaterThan(10);
      FutureTask<BitSet> taken =
          new FutureTask<>(
              () -> {
                kept.take(0);
                return ThreadMask.of(ThreadMask.CALLER);
              });
      Thread owner =
          Thread.ofPlatform()
              .start(
                  () -> {
                    taken.run();
                    await(end);
                  });
      assertThat(taken.get()).isEqualTo(BitSet.valueOf(new long[] {1L << mine}));
      assertThat(masks()).filteredOn(mask -> mask.get(mine)).hasSize(1);
      end.countDown();
      owner.join();
    }
    assertThat(masks()).allMatch(all::equals);
  }

  @Test
  void whatAnOwnerBeginsIsMovedOff() throws Exception {
    int mine = all.nextSetBit(0);
    CountDownLatch end = new CountDownLatch(1);
    try (OwnProcessors kept = OwnProcessors.keep(List.of(mine), Duration.ofMillis(20))) {
      FutureTask<Thread> begun =
          new FutureTask<>(
              () -> {
                kept.take(0);
                return Thread.ofPlatform().start(() -> await(end));
              });
      Thread owner =
          Thread.ofPlatform()
              .start(
                  () -> {
                    begun.run();
                    await(end);
                  });
      Thread other = begun.get();
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      while (masks().stream().filter(mask -> mask.get(mine)).count() > 1) {
        assertThat(System.nanoTime()).as("it is not moved").isLessThan(deadline);
        Thread.onSpinWait();
      }
      end.countDown();
      owner.join();
      other.join();
    }
  }

  @Test
  void refusesWhatCannotBeHadAndChangesNothing() throws Exception {
    assertThatThrownBy(() -> OwnProcessors.keep(all.stream().boxed().toList()))
        .isInstanceOf(ProcessorsException.class)
        .hasMessageContaining("no processor would be left for all other threads");
    for (int wrong : new int[] {ThreadMask.MOST_PROCESSORS - 1, ThreadMask.MOST_PROCESSORS, -1}) {
      assertThatThrownBy(() -> OwnProcessors.keep(List.of(wrong)))
          .isInstanceOf(ProcessorsException.class)
          .hasMessageContaining("processor " + wrong + " is not there");
    }
    assertThat(masks()).allMatch(all::equals);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<BitSet> masks() throws IOException {
    try (Stream<Path> threads = Files.list(THREADS)) {
      return threads.map(OwnProcessorsTest::mask).filter(mask -> !mask.isEmpty()).toList();
    }
  }

  private static BitSet mask(Path thread) {
    try {
      return ThreadMask.of(Integer.parseInt(thread.getFileName().toString()));
    } catch (LibC.Failure e) {
      return new BitSet(); // it has ended
    }
  }
}
