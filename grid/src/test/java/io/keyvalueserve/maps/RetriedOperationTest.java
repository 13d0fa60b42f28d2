package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import io.keyvalueserve.grid.space.TestGrid;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls that Hazelcast retries though they run. */
@ExtendWith(SharedGrids.class)
@Timeout(60)
final class RetriedOperationTest {
  private static final int PARTITION = 3;

  private final NodeEngineImpl engine =
      (NodeEngineImpl) TestGrid.nodeEngine(SharedGrids.of(1).member(0));
  private final OperationServiceImpl operations = engine.getOperationService();

  private static final class Counted extends Operation {
    private final AtomicInteger runs;

    Counted(AtomicInteger runs) {
      this.runs = runs;
    }

    @Override
    public void run() {
      runs.incrementAndGet();
    }
  }

  private Future<?> invoke(Operation operation) {
    return operations.invokeOnPartitionAsync("hz:impl:mapService", operation, PARTITION);
  }

  /** Has the partition's thread wait where it is in its queue. */
  private CountDownLatch hold() {
    CountDownLatch release = new CountDownLatch(1);
    operations
        .getOperationExecutor()
        .execute(
            new PartitionSpecificRunnable() {
              @Override
              public int getPartitionId() {
                return PARTITION;
              }

              @Override
              public void run() {
                try {
                  release.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    return release;
  }

  /** What waits for partition threads: this test's, and now and then the grid's own. */
  private int waiting() {
    return operations.getOperationExecutor().getQueueSize();
  }

  @Test
  void whatIsAnsweredIsNotRunAgain() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Operation operation = new Counted(runs);
    CountDownLatch first = hold();
    Future<?> answer = invoke(operation);
    CountDownLatch second = hold();
    await().until(() -> waiting() >= 2);
    long call = operation.getCallId();

    operations.getInvocationRegistry().reset(null); // as when its target has left: it is retried
    await().until(() -> operation.getCallId() != call && waiting() >= 3);
    AtomicInteger after = new AtomicInteger();
    Future<?> later = invoke(new Counted(after)); // behind the retried one
    first.countDown();
    answer.get(30, TimeUnit.SECONDS);
    assertThat(later.isDone()).isFalse();
    second.countDown();

    later.get(30, TimeUnit.SECONDS);
    assertThat(runs.get()).isEqualTo(1);
    assertThat(after.get()).isEqualTo(1);
    long again = Math.abs(operation.getCallId());
    await().until(() -> operations.getInvocationRegistry().get(again) == null);
  }
}
