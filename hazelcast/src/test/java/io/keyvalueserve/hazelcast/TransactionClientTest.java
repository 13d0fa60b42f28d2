package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.TransactionCommitCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCreateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionRollbackCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapSetCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import io.keyvalueserve.gates.heap.HeapAccount;
import io.keyvalueserve.gates.heap.HeapLimits;
import io.keyvalueserve.grid.ClientLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Open transactions of a tenant's clients and their logs are bounded, and no count is left. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionClientTest {
  private static final int MOST = 5;
  private static final int BYTES = 1 << 20;
  private static final int ACME = DoorMember.number("acme");

  private final DoorMember member = new DoorMember(ClientLimits.usual().withTransactions(MOST));
  private final HeapAccount account = member.admissions.usage("acme").heap();
  private RawClient client;
  private long number;

  TransactionClientTest() throws IOException {
    client = new RawClient(member.member.clientPort());
    member.admissions.heap().setLimits(new HeapLimits(BYTES, 4 * BYTES));
  }

  @BeforeEach
  void connect() throws IOException {
    client.close();
    client = new RawClient(member.member.clientPort()).authenticate("acme");
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    client.close();
    await()
        .atMost(30, TimeUnit.SECONDS)
        .until(() -> member.member.openTransactions(ACME) == 0 && account.held() == 0);
  }

  @AfterAll
  void stop() {
    member.close();
  }

  private ClientMessage ask(ClientMessage request) throws IOException {
    number++;
    client.send(Messages.request(request, number, -1));
    ClientMessage answer = client.receive();
    assertThat(answer.getCorrelationId()).isEqualTo(number);
    return answer;
  }

  private static boolean isError(ClientMessage answer) {
    return answer.getMessageType() == ErrorsCodec.EXCEPTION_MESSAGE_TYPE;
  }

  private static String messageOf(ClientMessage error) {
    return ErrorsCodec.decode(error).getFirst().getMessage();
  }

  private static ClientMessage create(long timeoutMillis) {
    return TransactionCreateCodec.encodeRequest(timeoutMillis, 1, 1, 1);
  }

  private UUID begin() throws IOException {
    ClientMessage answer = ask(create(60_000));
    assertThat(isError(answer)).isFalse();
    return TransactionCreateCodec.decodeResponse(answer);
  }

  private static ClientMessage set(UUID id, String key) {
    return TransactionalMapSetCodec.encodeRequest(
        "m", id, 1, Messages.data(key), Messages.data(new byte[100_000]));
  }

  @Test
  void oneMoreBeginsWhenOneIsCommittedOrRolledBack() throws IOException {
    List<UUID> open = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      open.add(begin());
    }
    assertThat(messageOf(ask(create(60_000)))).contains("may have 5 transactions open");
    assertThat(member.member.openTransactions(ACME)).isEqualTo(MOST);
    assertThat(isError(ask(TransactionCommitCodec.encodeRequest(open.get(0), 1)))).isFalse();
    UUID next = begin();
    assertThat(isError(ask(create(60_000)))).isTrue();
    assertThat(isError(ask(TransactionRollbackCodec.encodeRequest(next, 1)))).isFalse();
    begin();
  }

  @Test
  void logsAreBoundedUntilTheTransactionEnds() throws IOException {
    UUID id = begin();
    int written = 0;
    ClientMessage answer = ask(set(id, "k" + written));
    while (!isError(answer) && written < 2 * BYTES / 100_000) {
      written++;
      answer = ask(set(id, "k" + written));
    }
    assertThat(messageOf(answer)).contains("keeps up to " + BYTES + " bytes");
    assertThat(written).isBetween(5, BYTES / 100_000);
    assertThat(isError(ask(TransactionCommitCodec.encodeRequest(id, 1)))).isFalse();
    assertThat(account.held()).isZero();
    assertThat(isError(ask(set(begin(), "k")))).isFalse();
  }

  @Test
  void aTransactionWithoutAnEndGoesWithItsConnection() throws IOException {
    assertThat(isError(ask(set(begin(), "left")))).isFalse();
    assertThat(account.held()).isGreaterThan(100_000);
  }
}
