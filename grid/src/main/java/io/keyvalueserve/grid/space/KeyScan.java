package io.keyvalueserve.grid.space;

import com.hazelcast.internal.util.ConcurrencyUtil;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.KeyMap.ScanPage;
import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One page of a scan: walks partition after partition until enough keys were looked at.
 *
 * <p>The cursor says which partition, and which position in it, comes next:
 *
 * <pre>
 *   bit 52            32 31                     0
 *   +-------------------+------------------------+
 *   |     partition     |        position        |
 *   +-------------------+------------------------+
 * </pre>
 *
 * <p>Which keys a partition holds, and their positions in it, no change of the cluster alters;
 * hence the cursor needs no state anywhere.
 *
 * <p>Partitions that are empty cost nothing if they are here. Of those elsewhere, the first that
 * turns out empty makes the scan ask for the sizes of all, once a page.
 *
 * <p>Owned by whoever delivers an answer, one at a time.
 */
final class KeyScan {
  private final Partitions partitions;
  private final String map;
  private final int count;
  private final GlobPattern match;

  private final CompletableFuture<ScanPage> page = new CompletableFuture<>();
  private final List<byte[]> keys = new ArrayList<>();
  private int looked;
  private int @Nullable [] sizes;

  KeyScan(Partitions partitions, String map, int count, GlobPattern match) {
    this.partitions = partitions;
    this.map = map;
    this.count = count;
    this.match = match;
  }

  /** The page that begins at a cursor; empty and the last if the cursor is none of ours. */
  CompletableFuture<ScanPage> from(long cursor) {
    long partition = cursor >>> Integer.SIZE;
    if (partition >= partitions.count()) {
      return CompletableFuture.completedFuture(new ScanPage(0, List.of()));
    }
    step((int) partition, cursor & (PartitionScan.END - 1));
    return page;
  }

  private void step(int partition, long position) {
    int next = partition;
    long from = position;
    while (next < partitions.count() && isEmpty(next)) {
      next++;
      from = 0;
    }
    if (next == partitions.count()) {
      page.complete(new ScanPage(0, keys));
    } else if (looked >= count) {
      page.complete(new ScanPage(cursor(next, from), keys));
    } else {
      ask(next, from);
    }
  }

  /** The cursor of a position in a partition. */
  static long cursor(int partition, long position) {
    return (long) partition << Integer.SIZE | position;
  }

  private boolean isEmpty(int partition) {
    return sizes != null ? sizes[partition] == 0 : partitions.sizeIfHere(map, partition) == 0;
  }

  private void ask(int partition, long position) {
    PartitionScan scan = new PartitionScan(map, position, count - looked, match);
    CompletableFuture<PartitionPage> _ =
        partitions
            .<PartitionPage>ask(scan, partition)
            .thenCompose(
                answer -> {
                  boolean knowsSizes = sizes != null || answer.looked() > 0 || position > 0;
                  return knowsSizes
                      ? CompletableFuture.completedFuture(answer)
                      : partitions
                          .sizes(map)
                          .thenApply(
                              known -> {
                                sizes = known;
                                return answer;
                              });
                })
            .whenCompleteAsync(
                (answer, failure) -> {
                  if (failure != null) {
                    page.completeExceptionally(failure);
                  } else {
                    take(partition, answer);
                  }
                },
                ConcurrencyUtil.CALLER_RUNS);
  }

  private void take(int partition, PartitionPage answer) {
    String refusal = answer.refusal();
    if (refusal != null) {
      page.completeExceptionally(new EngineException(new Failure(Kind.TOO_COSTLY, refusal)));
      return;
    }
    keys.addAll(answer.keys());
    looked += answer.looked();
    if (answer.next() == PartitionScan.END) {
      step(partition + 1, 0);
    } else {
      step(partition, answer.next());
    }
  }
}
