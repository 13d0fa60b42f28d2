package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.TransactionCommitCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCreateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionRollbackCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapGetCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapSetCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import io.keyvalueserve.gates.heap.HeapAccount;
import io.keyvalueserve.gates.heap.HeapLedger;
import io.keyvalueserve.gates.heap.HeapLimits;
import io.keyvalueserve.grid.kept.HeapCost;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Transactions and their logs are counted from their begin to their end, whatever is said. */
class SessionTransactionsTest {
  private static final int TENANT = 3;
  private static final int MOST = 3;
  private static final UUID ID = new UUID(1, 2);

  private final AtomicLong now = new AtomicLong();
  private final TenantsTransactions all = new TenantsTransactions(MOST);
  private final HeapAccount account =
      new HeapLedger(new HeapLimits(100_000, 100_000)).account("acme");
  private final SessionTransactions session =
      new SessionTransactions(all.enter(TENANT), account, now::get);

  private static ClientMessage numbered(ClientMessage message, long number) {
    message.setCorrelationId(number);
    return message;
  }

  private static ClientMessage create(long number) {
    return numbered(TransactionCreateCodec.encodeRequest(1_000, 1, 1, 1), number);
  }

  private void open(long number, UUID id) {
    assertThat(session.begin(create(number))).isNull();
    session.answered(numbered(TransactionCreateCodec.encodeResponse(id), number));
  }

  private static ClientMessage set(UUID id, int bytes) {
    return TransactionalMapSetCodec.encodeRequest(
        "m", id, 1, Messages.data("k"), Messages.data(new byte[bytes]));
  }

  private @Nullable String add(ClientMessage request) {
    return session.add(request, MessageTable.get(request.getMessageType()));
  }

  private void end(ClientMessage request, ClientMessage answer) {
    session.end(numbered(request, 77));
    session.answered(numbered(answer, 77));
  }

  @Test
  void countsUntilTheCommitOrRollbackIsAnswered() {
    open(1, ID);
    assertThat(account.held()).isEqualTo(HeapCost.TRANSACTION);
    assertThat(add(set(ID, 10_000))).isNull();
    assertThat(account.held()).isGreaterThan(11_000);
    end(TransactionCommitCodec.encodeRequest(ID, 1), ErrorsCodec.encode(List.of()));
    assertThat(all.of(TENANT)).as("Hazelcast keeps it").isEqualTo(1);
    end(TransactionRollbackCodec.encodeRequest(ID, 1), TransactionRollbackCodec.encodeResponse());
    assertThat(all.of(TENANT)).isZero();
    assertThat(account.held()).isZero();
    open(2, ID);
    end(TransactionCommitCodec.encodeRequest(ID, 1), TransactionCommitCodec.encodeResponse());
    assertThat(all.of(TENANT)).isZero();
    assertThat(account.held()).isZero();
  }

  @Test
  void refusesMoreThanTheTenantMayHave() {
    for (int i = 0; i < MOST; i++) {
      assertThat(session.begin(create(i))).isNull();
    }
    assertThat(session.begin(create(9))).contains("may have 3 transactions open");
    session.answered(numbered(ErrorsCodec.encode(List.of()), 0));
    assertThat(session.begin(create(9))).isNull();
    session.endAll();
    session.endAll();
    assertThat(all.of(TENANT)).isZero();
    assertThat(account.held()).isZero();
  }

  @Test
  void boundsTheBytesOfLogsAndTheNamesOfObjects() {
    open(1, ID);
    assertThat(add(set(ID, 60_000))).isNull();
    assertThat(add(set(ID, 60_000))).contains("keeps up to 100000 bytes");
    long held = account.held();
    assertThat(add(TransactionalMapGetCodec.encodeRequest("m", ID, 1, Messages.data("k"))))
        .as("reads leave nothing")
        .isNull();
    assertThat(account.held()).isEqualTo(held);
    assertThat(add(TransactionalMapGetCodec.encodeRequest("n", ID, 1, Messages.data("k"))))
        .isNull();
    assertThat(account.held()).isEqualTo(held + HeapCost.OBJECT + 2L * "14:n".length());
    assertThat(add(set(new UUID(5, 6), 60_000))).as("no such transaction").isNull();
    session.endAll();
    assertThat(account.held()).isZero();
  }

  @Test
  void findsWhatTimedOutUnlessItIsBeingEnded() {
    UUID ending = new UUID(3, 4);
    open(1, ID);
    open(2, ending);
    session.end(numbered(TransactionCommitCodec.encodeRequest(ending, 1), 5));
    now.addAndGet(Duration.ofSeconds(10).toNanos());
    assertThat(session.overdue()).isEmpty();
    now.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(session.overdue()).containsExactly(ID);
    assertThat(session.overdue()).as("within a second").isEmpty();
    session.forget(ID);
    assertThat(all.of(TENANT)).isEqualTo(1);
  }

  @Test
  void everyRequestInATransactionIsALogRecordOrARead() {
    Codec.open()
        .forEach(
            (codec, descriptor) -> {
              boolean read =
                  codec
                      .name()
                      .matches(
                          ".*(Get|Size|ContainsKey|ContainsValue|IsEmpty|Peek|ValueCount|KeySet"
                              + "|Values|KeySetWithPredicate|ValuesWithPredicate)(Codec)?");
              boolean transactional = codec.name().startsWith("Transactional");
              assertThat(descriptor.transactional()).as(codec.name()).isEqualTo(transactional);
              assertThat(descriptor.logged()).as(codec.name()).isEqualTo(transactional && !read);
            });
  }
}
