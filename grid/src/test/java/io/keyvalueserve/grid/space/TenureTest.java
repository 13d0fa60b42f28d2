package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.run;
import static io.keyvalueserve.engine.Batches.texts;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.cluster.Address;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.OperationAccessor;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Goal: what a member sent to an address before this member had it is not carried out by this
 * member, and the rest is. Method: operations as they come from the other member, with the time at
 * which they were sent set by hand.
 */
@TestInstance(Lifecycle.PER_CLASS)
final class TenureTest {
  private static final String MAP = "acme/tenure";

  private TestGrid grid;
  private KeyMap map;
  private long joined;

  @BeforeAll
  void start() {
    grid = new TestGrid(1, 7);
    joined = now();
    grid.join();
    map = grid.map(0, "acme", "tenure");
  }

  @AfterAll
  void end() {
    grid.close();
  }

  private long now() {
    return TestGrid.nodeEngine(grid.member(0)).getClusterService().getClusterTime();
  }

  @Test
  void refusesAWriteFromBeforeItJoined() {
    byte[] key = keyOfTheNewcomer("late");
    run(map, Write.of(key, utf8("new")));
    var late = sent(write(key, "old"), partition(key), joined - 1);
    assertThatThrownBy(() -> late.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TargetNotMemberException.class);
    assertThat(texts(map, new Read(key))).containsExactly("Entry new");
  }

  @Test
  void refusesAMessageOfManyFromBeforeItJoined() {
    byte[] key = keyOfTheNewcomer("coalesced");
    run(map, Write.of(key, utf8("new")));
    var late = sent(message(key, "old"), Operation.GENERIC_PARTITION_ID, joined - 1);
    assertThatThrownBy(() -> late.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TargetNotMemberException.class);
    assertThat(texts(map, new Read(key))).containsExactly("Entry new");
  }

  @Test
  void carriesOutWhatWasSentSince() throws Exception {
    byte[] key = keyOfTheNewcomer("in-time");
    Object _ = sent(write(key, "one"), partition(key), now()).get(20, TimeUnit.SECONDS);
    assertThat(texts(map, new Read(key))).containsExactly("Entry one");
    Object _ =
        sent(message(key, "two"), Operation.GENERIC_PARTITION_ID, now()).get(20, TimeUnit.SECONDS);
    assertThat(texts(map, new Read(key))).containsExactly("Entry two");
  }

  @Test
  void carriesOutWhatDoesNotSayWhenItWasSent() throws Exception {
    byte[] key = keyOfTheNewcomer("unsaid");
    Object _ = sent(write(key, "one"), partition(key), -1).get(20, TimeUnit.SECONDS);
    assertThat(texts(map, new Read(key))).containsExactly("Entry one");
  }

  private static KeyWriteBatch write(byte[] key, String value) {
    return new KeyWriteBatch(
        MAP,
        1,
        List.of(Write.of(key, utf8(value))),
        List.of(KeyData.ofKey(key)),
        KeyLocks.NO_THREAD,
        false);
  }

  private MemberBatch message(byte[] key, String value) {
    List<KeyCommand> commands = List.of(Write.of(key, utf8(value)));
    return new MemberBatch(
        List.of(
            new MemberBatch.Part(MAP, 1, partition(key), commands, List.of(KeyData.ofKey(key)))));
  }

  /** Has the newcomer find an operation in its queue, as one of the other member. */
  private CompletableFuture<Object> sent(Operation operation, int partition, long time) {
    NodeEngine newcomer = TestGrid.nodeEngine(grid.member(1));
    Address other = TestGrid.nodeEngine(grid.member(0)).getThisAddress();
    CompletableFuture<Object> answer = new CompletableFuture<>();
    operation.setNodeEngine(newcomer).setPartitionId(partition).setReplicaIndex(0);
    OperationAccessor.setCallerAddress(operation, other);
    OperationAccessor.setInvocationTime(operation, time);
    operation.setOperationResponseHandler(
        (_, response) -> {
          if (response instanceof Throwable failure) {
            answer.completeExceptionally(failure);
          } else {
            answer.complete(response);
          }
        });
    newcomer.getOperationService().execute(operation);
    return answer;
  }

  private int partition(byte[] key) {
    return grid.engine(0).partitions().of(KeyData.ofKey(key));
  }

  private byte[] keyOfTheNewcomer(String name) {
    Address newcomer = TestGrid.nodeEngine(grid.member(1)).getThisAddress();
    NodeEngine any = TestGrid.nodeEngine(grid.member(0));
    return IntStream.range(0, 10_000)
        .mapToObj(i -> utf8(name + i))
        .filter(
            key ->
                newcomer.equals(
                    any.getPartitionService().getPartition(partition(key)).getOwnerOrNull()))
        .findFirst()
        .orElseThrow();
  }
}
