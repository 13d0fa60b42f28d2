package io.keyvalueserve.grid.space;

import com.hazelcast.cluster.Member;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.maps.NativeMaps;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Has what was written before be on the disks of members, for clients that ask for it. Whoever asks
 * while a member waits for its disk shares the next wait, so a member waits once at a time, however
 * many ask.
 *
 * <p>Thread-safe; never blocks who asks.
 */
final class LogSyncs {
  private static final int TRIES = 3;

  private final NodeEngine nodeEngine;
  private final NativeMaps maps;
  private final Executor patient;
  private final Object lock = new Object();
  private @Nullable CompletableFuture<Void> next;
  private boolean busy;

  /**
   * @param patient runs what blocks
   */
  LogSyncs(NodeEngine nodeEngine, NativeMaps maps, Executor patient) {
    this.nodeEngine = nodeEngine;
    this.maps = maps;
    this.patient = patient;
  }

  /** Completes when all that this member has logged before the call is on its disk. */
  CompletableFuture<Void> here() {
    synchronized (lock) {
      CompletableFuture<Void> own = next;
      if (own == null) {
        own = new CompletableFuture<>();
        next = own;
      }
      if (!busy) {
        busy = true;
        patient.execute(this::work);
      }
      return own;
    }
  }

  private void work() {
    for (CompletableFuture<Void> own = take(); own != null; own = take()) {
      try {
        maps.awaitCertain();
        own.complete(null);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        own.completeExceptionally(e);
      } catch (RuntimeException | Error e) {
        own.completeExceptionally(e);
      }
    }
  }

  private @Nullable CompletableFuture<Void> take() {
    synchronized (lock) {
      CompletableFuture<Void> taken = next;
      next = null;
      busy = taken != null;
      return taken;
    }
  }

  /**
   * Completes when all that the members have logged before the call is on their disks. If a member
   * leaves meanwhile, those that are left are asked again.
   */
  CompletableFuture<Void> everywhere() {
    return everywhere(TRIES);
  }

  private CompletableFuture<Void> everywhere(int tries) {
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (Member member : DataMembers.of(nodeEngine)) {
      answers.add(
          member.localMember()
              ? here()
              : nodeEngine
                  .getOperationService()
                  .invokeOnTarget(MapService.SERVICE_NAME, new LogSync(), member.getAddress())
                  .toCompletableFuture());
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .exceptionallyComposeAsync(
            e -> tries > 1 ? everywhere(tries - 1) : CompletableFuture.failedFuture(e), patient);
  }
}
