package io.keyvalueserve.acceptance;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Asks for more than a tenant may have, through some members at once, and counts what it gets. */
final class LimitedLoad implements AutoCloseable {
  private static final int PIPELINED = 20;

  private final AtomicLong served = new AtomicLong();
  private final AtomicLong throttled = new AtomicLong();
  private final AtomicBoolean ends = new AtomicBoolean();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> running;
  private final long beganNanos = System.nanoTime();

  LimitedLoad(Tenant tenant, List<KvsProcess> members) {
    running =
        members.stream()
            .<Future<?>>map(member -> threads.submit(() -> run(tenant, member)))
            .toList();
  }

  private Void run(Tenant tenant, KvsProcess member) throws IOException {
    String commands = RespSocket.command("GET", "key").repeat(PIPELINED);
    try (RespSocket socket = RespSocket.open(member, tenant, "limited")) {
      while (!ends.get()) {
        socket.send(commands);
        for (int i = 0; i < PIPELINED; i++) {
          String reply = socket.readLine();
          if (reply.equals("$-1")) {
            served.incrementAndGet();
          } else if (reply.startsWith("-THROTTLED ")) {
            throttled.incrementAndGet();
          } else {
            throw new AssertionError(reply);
          }
        }
      }
    }
    return null;
  }

  long served() {
    return served.get();
  }

  long throttled() {
    return throttled.get();
  }

  /** How long it has been running, at least. */
  double seconds() {
    return (System.nanoTime() - beganNanos) / 1e9;
  }

  /** Ends it, and fails if any of its connections did. */
  @Override
  public void close() {
    ends.set(true);
    try {
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      threads.shutdownNow();
    }
  }
}
