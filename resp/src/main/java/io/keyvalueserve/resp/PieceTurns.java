package io.keyvalueserve.resp;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The turns to send a piece of a large reply on an event loop. Tenants take turns, and the
 * connections of each tenant take turns. Between pieces the loop looks after its connections. On
 * the event loop only.
 */
final class PieceTurns implements Runnable {
  private final NextIteration iteration;
  private final Map<Integer, Queue<PacedReplies>> waiting = new HashMap<>();
  private final Queue<Integer> tenants = new ArrayDeque<>();
  private boolean isDue;

  PieceTurns(EventLoop loop) {
    this.iteration = new NextIteration(loop, this);
  }

  /**
   * A connection has a piece to send.
   *
   * @param tenant the number of its tenant, 0 if it has none
   */
  void ready(int tenant, PacedReplies replies) {
    Queue<PacedReplies> ofTenant = waiting.get(tenant);
    if (ofTenant == null) {
      ofTenant = new ArrayDeque<>();
      waiting.put(tenant, ofTenant);
      tenants.add(tenant);
    }
    ofTenant.add(replies);
    if (!isDue) {
      isDue = true;
      iteration.executeAfterConnections();
    }
  }

  /**
   * One piece: io_uring's handler only takes note of what is to be sent, and sends all of it when
   * the loop looks after its connections next, however many pieces that are.
   */
  @Override
  public void run() {
    PacedReplies next = next();
    if (next != null) {
      next.sendPiece();
    }
    isDue = !tenants.isEmpty();
    if (isDue) {
      iteration.executeAfterConnections();
    }
  }

  private @Nullable PacedReplies next() {
    Integer tenant = tenants.poll();
    if (tenant == null) {
      return null;
    }
    Queue<PacedReplies> ofTenant = waiting.get(tenant);
    PacedReplies next = ofTenant == null ? null : ofTenant.poll();
    if (ofTenant == null || ofTenant.isEmpty()) {
      Queue<PacedReplies> _ = waiting.remove(tenant);
    } else {
      tenants.add(tenant);
    }
    return next;
  }
}
