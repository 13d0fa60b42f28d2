package io.keyvalueserve.grid.turn;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.map.impl.operation.MapSizeOperation;
import com.hazelcast.spi.impl.operationexecutor.impl.TaskBatch;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Resumption;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: each task of a partition thread is in the class of whom it is done for. */
final class TaskTenantsTest {
  private static final int ACME = 7;

  private final TenantNumbers numbers = new TenantNumbers();
  private final TaskTenants tenants = new TaskTenants(numbers, connection -> ACME);

  TaskTenantsTest() {
    numbers.apply(
        new Tenant(
            new TenantName("acme"),
            ACME,
            TenantState.ACTIVE,
            Instant.EPOCH,
            List.of(),
            Quota.USUAL,
            1));
  }

  @Test
  void anOperationIsItsMapsOwners() {
    assertThat(tenants.applyAsInt(new MapSizeOperation("acme/orders"))).isEqualTo(ACME);
    assertThat(tenants.applyAsInt(new MapSizeOperation("of-nobody"))).isEqualTo(TurnQueue.SYSTEM);
  }

  @Test
  void aReplicaIsTheMembersOwnWork() {
    assertThat(tenants.applyAsInt(new MapSizeOperation("acme/orders").setReplicaIndex(1)))
        .isEqualTo(TurnQueue.SYSTEM);
  }

  /** Or who waits for the disk would go before all others. */
  @Test
  void anOperationThatWaitedForTheDiskIsStillItsMapsOwners() {
    assertThat(tenants.applyAsInt(new Resumed(new MapSizeOperation("acme/orders"))))
        .isEqualTo(ACME);
  }

  /** No operation of a tenant's runs here that would be parted. */
  @Test
  void stepsOfAnOperationThatIsNotKnownAreNobodys() {
    TaskBatch steps =
        new TaskBatch(partition -> new MapSizeOperation("acme/orders"), new BitSet(), 0, 1);
    assertThat(tenants.applyAsInt(steps)).isEqualTo(TurnQueue.NOBODY);
  }

  @Test
  void whatMembersRunIsTheirOwn() {
    Runnable task = () -> {};
    assertThat(tenants.applyAsInt(task)).isEqualTo(TurnQueue.SYSTEM);
  }

  private record Resumed(Operation operation) implements Resumption {
    @Override
    public int getPartitionId() {
      return 0;
    }

    @Override
    public void run() {}
  }
}
