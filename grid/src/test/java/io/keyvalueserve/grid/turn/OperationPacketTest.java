package io.keyvalueserve.grid.turn;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.collection.impl.queue.operations.OfferOperation;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.map.impl.operation.GetOperation;
import com.hazelcast.map.impl.operation.RemoveOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.OperationAccessor;
import com.hazelcast.spi.impl.operationservice.impl.operations.Backup;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tenant a task belongs to: operations as they are, and as Hazelcast sends them. */
class OperationPacketTest {
  private static final int ACME = 70_001;
  private static final int GLOBEX = 3;

  private final InternalSerializationService serialization =
      new DefaultSerializationServiceBuilder().build();
  private final TenantNumbers numbers = new TenantNumbers();
  private final TaskTenants tenants = new TaskTenants(numbers, connection -> -1);

  @BeforeEach
  void know() {
    numbers.apply(tenant("acme", ACME, TenantState.ACTIVE, 1));
    numbers.apply(tenant("globex", GLOBEX, TenantState.ACTIVE, 1));
  }

  private static Tenant tenant(String name, int number, TenantState state, long revision) {
    return new Tenant(
        new TenantName(name), number, state, Instant.EPOCH, List.of(), Quota.USUAL, revision);
  }

  private static HeapData key() {
    return new HeapData(new byte[16]);
  }

  private int ofSent(Operation operation) {
    return tenants.applyAsInt(new Packet(serialization.toBytes(operation), 1));
  }

  @Test
  void isTheOwnerOfTheObjectWhateverElseIsSent() {
    for (int forms = 0; forms < 64; forms++) {
      Operation operation = new GetOperation("acme/orders", key());
      operation.setPartitionId((forms & 1) == 0 ? 5 : 70_000);
      if ((forms & 2) != 0) {
        operation.setServiceName("a service");
      }
      if ((forms & 4) != 0) {
        OperationAccessor.setCallTimeout(operation, Long.MAX_VALUE);
      }
      if ((forms & 8) != 0) {
        operation.setWaitTimeout(5);
      }
      if ((forms & 16) != 0) {
        operation.setCallerUuid(new UUID(1, 2));
      }
      if ((forms & 32) != 0) {
        operation.setClientCallId(77);
      }
      assertThat(tenants.applyAsInt(operation)).isEqualTo(ACME);
      assertThat(ofSent(operation)).as("form %d", forms).isEqualTo(ACME);
    }
    assertThat(ofSent(new RemoveOperation("globex/x", key()).setPartitionId(1))).isEqualTo(GLOBEX);
    assertThat(ofSent(new OfferOperation("globex:q@eu", 1, key()).setPartitionId(1)))
        .isEqualTo(GLOBEX);
  }

  @Test
  void whatMembersDoForEachOtherIsNobodys() {
    Operation change = new OfferOperation("acme/orders", 1, key());
    Data data = serialization.toData(change);
    Operation packed = new Backup(data, null, new long[7], false);
    assertThat(ofSent(packed.setPartitionId(1).setReplicaIndex(1))).isEqualTo(TurnQueue.SYSTEM);
    Operation onReplica = new GetOperation("acme/orders", key()).setPartitionId(1);
    onReplica.setReplicaIndex(1);
    assertThat(ofSent(onReplica)).isEqualTo(TurnQueue.SYSTEM);
    assertThat(tenants.applyAsInt(onReplica)).isEqualTo(TurnQueue.SYSTEM);
    assertThat(ofSent(new GetOperation("__system", key()).setPartitionId(1)))
        .isEqualTo(TurnQueue.SYSTEM);
    assertThat(tenants.applyAsInt((Runnable) () -> {})).isEqualTo(TurnQueue.SYSTEM);
  }

  @Test
  void whoWasDeletedIsUnknownAndWhoComesAfterHasItsOwnNumber() {
    numbers.apply(tenant("acme", ACME, TenantState.DELETED, 2));
    assertThat(numbers.ofObject("acme/orders")).isEqualTo(TenantNumbers.UNKNOWN);
    numbers.apply(tenant("acme", 9, TenantState.ACTIVE, 3));
    numbers.apply(tenant("acme", ACME, TenantState.ACTIVE, 1)); // late
    assertThat(numbers.ofObject("acme/orders")).isEqualTo(9);
    assertThat(numbers.ofObject("acm/orders")).isEqualTo(TenantNumbers.UNKNOWN);
    assertThat(numbers.ofObject("acme")).isEqualTo(TenantNumbers.UNKNOWN);
    assertThat(numbers.ofObject("")).isEqualTo(TenantNumbers.UNKNOWN);
  }

  @Test
  void findsEachOfMany() {
    for (int i = 1; i <= 2_000; i++) {
      numbers.apply(tenant("tenant-" + i, i, TenantState.ACTIVE, 1));
    }
    for (int i = 1; i <= 2_000; i++) {
      String name = "tenant-" + i + ":list@x";
      byte[] bytes = (".." + name).getBytes(StandardCharsets.UTF_8);
      assertThat(numbers.ofObject(name)).isEqualTo(i);
      assertThat(numbers.ofObject(bytes, 2, bytes.length - 2)).isEqualTo(i);
    }
  }

  /** Whatever another member sends: no exception. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void noBytesAreTooStrange(long seed) {
    Random random = new Random(seed);
    byte[] good =
        serialization.toBytes(
            new GetOperation("acme/orders", key()).setPartitionId(1).setServiceName("service"));
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 1));
      for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
        int from = random.nextBoolean() ? 0 : Math.min(25, bytes.length - 1);
        bytes[from + random.nextInt(bytes.length - from)] = (byte) random.nextInt();
      }
      assertThat(OperationPacket.tenant(bytes, numbers)).isIn(ACME, GLOBEX, TenantNumbers.UNKNOWN);
    }
  }
}
