package io.keyvalueserve.grid.turn;

import com.hazelcast.internal.util.concurrent.MPSCQueue;
import com.hazelcast.spi.impl.operationexecutor.impl.OperationQueue;
import com.hazelcast.spi.impl.operationexecutor.impl.OperationQueueImpl;
import com.sun.management.ThreadMXBean;
import io.keyvalueserve.gates.fairness.WaitMeters;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What a partition thread's queue costs for each task, beside Hazelcast's own. Run by hand: tasks,
 * then how many tenants they are of.
 */
final class TurnQueueBench {
  private static final int BATCH = 64;

  private TurnQueueBench() {}

  private record Task(int tenant) {}

  public static void main(String[] args) throws InterruptedException {
    int tasks = args.length > 0 ? Integer.parseInt(args[0]) : 20_000_000;
    int tenants = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    for (int round = 0; round < 3; round++) {
      for (int batch : new int[] {1, BATCH}) {
        oneThread("Hazelcast's", stock(), tasks, batch, 1);
        oneThread("ours", ours(), tasks, batch, 1);
        oneThread("ours", ours(), tasks, batch, tenants);
      }
      twoThreads("Hazelcast's", stock(), tasks, 1);
      twoThreads("ours", ours(), tasks, 1);
      twoThreads("ours", ours(), tasks, tenants);
    }
  }

  private static OperationQueue stock() {
    MPSCQueue<Object> normal = new MPSCQueue<>(null);
    normal.setConsumerThread(Thread.currentThread());
    return new OperationQueueImpl(normal, new ConcurrentLinkedQueue<>());
  }

  private static OperationQueue ours() {
    TurnQueue queue =
        new TurnQueue(
            task -> ((Task) task).tenant(), tenant -> 1, new WaitMeters(), System::nanoTime);
    queue.takenBy(Thread.currentThread());
    return queue;
  }

  private static Task[] tasks(int tenants) {
    Task[] all = new Task[BATCH];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Task(1 + i % tenants);
    }
    return all;
  }

  /** So many are added, then taken: neither parks, and nobody competes. */
  private static void oneThread(
      String what, OperationQueue queue, int count, int batch, int tenants)
      throws InterruptedException {
    Task[] tasks = tasks(tenants);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = threads.getCurrentThreadAllocatedBytes();
    long begin = System.nanoTime();
    long sum = 0;
    for (int done = 0; done < count; done += batch) {
      for (int i = 0; i < batch; i++) {
        queue.add(tasks[i], false);
      }
      for (int i = 0; i < batch; i++) {
        sum += ((Task) queue.take(false)).tenant();
      }
    }
    long nanos = System.nanoTime() - begin;
    bytes = threads.getCurrentThreadAllocatedBytes() - bytes;
    System.out.printf(
        "%s, %d at a time, %d tenants: %.1f ns, %.1f bytes (%d)%n",
        what, batch, tenants, (double) nanos / count, (double) bytes / count, sum & 1);
  }

  /** One adds, at most 4096 ahead, and one takes. */
  private static void twoThreads(String what, OperationQueue queue, int count, int tenants)
      throws InterruptedException {
    Task[] tasks = tasks(tenants);
    Thread producer =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  for (int i = 0; i < count; i++) {
                    while ((i & 1023) == 0 && queue.normalSize() > 3 * 1024) {
                      Thread.onSpinWait();
                    }
                    queue.add(tasks[i & (BATCH - 1)], false);
                  }
                });
    long begin = System.nanoTime();
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += ((Task) queue.take(false)).tenant();
    }
    long nanos = System.nanoTime() - begin;
    producer.join();
    System.out.printf(
        "%s, two threads, %d tenants: %.1f ns (%d)%n",
        what, tenants, (double) nanos / count, sum & 1);
  }
}
