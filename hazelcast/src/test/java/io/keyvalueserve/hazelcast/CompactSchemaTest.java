package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientProtocolErrorCodes;
import com.hazelcast.client.impl.protocol.codec.ClientFetchSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendAllSchemasCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.client.impl.protocol.exception.ErrorHolder;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: Compact values serve on every member and for grantees, and no tenant can fill the registry
 * of their schemas or have it hold another schema than a tenant sent. Method: two members; clients
 * as they are, and such as say what they like.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CompactSchemaTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DoorMember first = new DoorMember();
  private final DoorMember second =
      new DoorMember(null, List.of("127.0.0.1:" + first.member.memberPort()));

  CompactSchemaTest() {
    await().atMost(PATIENCE).until(() -> first.member.isSafe() && second.member.isSafe());
  }

  @AfterAll
  void stop() {
    second.close();
    first.close();
  }

  private RawClient client(String tenant) throws IOException {
    return new RawClient(first.member.clientPort()).authenticate(tenant);
  }

  private static ClientMessage ask(RawClient client, ClientMessage request) throws IOException {
    client.send(Messages.request(request, 7, -1));
    return client.receive();
  }

  private static void assertAccepted(ClientMessage answer) {
    if (answer.getMessageType() == ErrorsCodec.EXCEPTION_MESSAGE_TYPE) {
      throw new AssertionError(error(answer).getMessage());
    }
  }

  private static ErrorHolder error(ClientMessage answer) {
    assertThat(answer.getMessageType()).isEqualTo(ErrorsCodec.EXCEPTION_MESSAGE_TYPE);
    return ErrorsCodec.decode(answer).getFirst();
  }

  private static String refusal(ClientMessage answer) {
    ErrorHolder error = error(answer);
    assertThat(error.getErrorCode()).isEqualTo(ClientProtocolErrorCodes.ACCESS_CONTROL);
    return error.getMessage();
  }

  private static GenericRecord order(int amount) {
    return GenericRecordBuilder.compact("order")
        .setInt32("amount", amount)
        .setString("currency", "EUR")
        .build();
  }

  private static List<Schema> many(String type, int count) {
    return IntStream.range(0, count).mapToObj(i -> ForgedSchema.schema(type + i, "a")).toList();
  }

  @Test
  void compactValuesServeOnAllMembersTheirTenantAndItsGrantees() {
    HazelcastInstance writer = first.client("acme");
    HazelcastInstance reader = second.client("acme");
    second.grant("acme", "orders", "globex", Map.of(Scope.MAP, Rights.READ_WRITE));
    HazelcastInstance grantee = second.client("globex");
    try {
      IMap<Integer, GenericRecord> orders = writer.getMap("orders");
      for (int i = 0; i < 100; i++) {
        orders.set(i, order(i));
      }
      List<IMap<Integer, GenericRecord>> seen =
          List.of(reader.getMap("orders"), grantee.getMap("acme/orders"));
      for (IMap<Integer, GenericRecord> map : seen) {
        assertThat(map.get(42)).isEqualTo(order(42));
        assertThat(map.values(Predicates.greaterEqual("amount", 90))).hasSize(10);
        map.set(200, order(7)); // which sends what is known
        assertThat(orders.get(200)).isEqualTo(order(7));
      }
    } finally {
      grantee.shutdown();
      reader.shutdown();
      writer.shutdown();
    }
  }

  @Test
  void aTenantAddsSoManySchemasAndNoMore() throws IOException {
    try (RawClient hoarder = client("hoarder");
        RawClient again = client("hoarder");
        RawClient other = client("other")) {
      List<Schema> most = many("type", TenantSchemas.MOST_SCHEMAS);
      assertAccepted(ask(hoarder, ClientSendAllSchemasCodec.encodeRequest(new ArrayList<>(most))));
      String refusal =
          "may register 1000 Compact schemas of 4194304 bytes through a member; this one has"
              + " registered 1000 of ";
      Schema more = ForgedSchema.schema("one more", "a");
      assertThat(refusal(ask(hoarder, ClientSendSchemaCodec.encodeRequest(more))))
          .contains(refusal);
      assertThat(refusal(ask(again, ClientSendAllSchemasCodec.encodeRequest(List.of(more)))))
          .contains(refusal);
      assertThat(fetch(again, more.getSchemaId())).isNull();
      for (RawClient known : List.of(again, other)) {
        assertAccepted(ask(known, ClientSendSchemaCodec.encodeRequest(most.getFirst())));
        assertAccepted(ask(known, ClientSendAllSchemasCodec.encodeRequest(most)));
      }
      assertAccepted(ask(other, ClientSendSchemaCodec.encodeRequest(more)));
      assertThat(fetch(other, more.getSchemaId())).isEqualTo(more);
    }
  }

  private static Schema fetch(RawClient client, long id) throws IOException {
    return ClientFetchSchemaCodec.decodeResponse(
        ask(client, ClientFetchSchemaCodec.encodeRequest(id)));
  }

  @Test
  void aTenantAddsSoManyBytesOfSchemasAndNoMore() throws IOException {
    try (RawClient client = client("wordy")) {
      String long1 = "x".repeat(TenantSchemas.MOST_BYTES_EACH / 2);
      int each = 0;
      int sent = 0;
      ClientMessage answer;
      do {
        Schema schema = ForgedSchema.schema("wordy" + sent, long1);
        each = (int) TenantSchemas.bytes(schema);
        answer = ask(client, ClientSendSchemaCodec.encodeRequest(schema));
        sent++;
      } while (answer.getMessageType() != ErrorsCodec.EXCEPTION_MESSAGE_TYPE && sent < 1_000);
      assertThat(refusal(answer)).contains("4194304 bytes through a member");
      assertThat(sent - 1).isEqualTo(TenantSchemas.MOST_BYTES / each);

      Schema large = ForgedSchema.schema("large", "x".repeat(TenantSchemas.MOST_BYTES_EACH));
      assertThat(refusal(ask(client, ClientSendSchemaCodec.encodeRequest(large))))
          .contains("type 'large' has ")
          .contains("may have 65536");
    }
  }

  @Test
  void aSchemaHasTheBytesThatItHasInAMessage() {
    Schema schema = ForgedSchema.schema("sch\u00f6n", "one", "zw\u00f6lf");
    ClientMessage empty = ClientSendSchemaCodec.encodeRequest(ForgedSchema.schema(""));
    ClientMessage message = ClientSendSchemaCodec.encodeRequest(schema);
    long more = TenantSchemas.bytes(schema) - TenantSchemas.bytes(ForgedSchema.schema(""));
    assertThat(message.getFrameLength() - empty.getFrameLength()).isEqualTo(more);
  }

  @Test
  void anIdThatStandsForAnotherSchemaIsRefusedAndNothingOfThatIsShown() throws IOException {
    Schema secret = ForgedSchema.schema("secret", "salary");
    Schema forged = ForgedSchema.withId(secret.getSchemaId());
    try (RawClient victim = client("victim");
        RawClient forger = client("forger")) {
      assertAccepted(ask(victim, ClientSendSchemaCodec.encodeRequest(secret)));
      for (ClientMessage request :
          List.of(
              ClientSendSchemaCodec.encodeRequest(forged),
              ClientSendAllSchemasCodec.encodeRequest(List.of(forged)))) {
        assertThat(refusal(ask(forger, request)))
            .contains("stands for another schema already")
            .contains(forged.getTypeName().substring(0, 10))
            .doesNotContain("secret")
            .doesNotContain("salary");
      }
      assertThat(fetch(victim, secret.getSchemaId())).isEqualTo(secret);
      assertAccepted(ask(victim, ClientSendSchemaCodec.encodeRequest(secret)));
      assertAccepted(ask(forger, ClientSendSchemaCodec.encodeRequest(secret)));
    }
  }

  @Test
  void ofTwoThatComeTogetherOneIsRefused() throws IOException {
    Schema one = ForgedSchema.schema("together", "a");
    Schema two = ForgedSchema.withId(one.getSchemaId());
    try (RawClient client = client("together")) {
      assertThat(refusal(ask(client, ClientSendAllSchemasCodec.encodeRequest(List.of(one, two)))))
          .contains("stands for another schema already")
          .doesNotContain("together");
      assertThat(fetch(client, one.getSchemaId())).isEqualTo(one);
    }
  }

  @Test
  void whatIsNoSchemaIsRefused() throws IOException {
    try (RawClient client = client("vague")) {
      ClientMessage unknownKind =
          ClientSendSchemaCodec.encodeRequest(ForgedSchema.schema("vague", "a"));
      ClientMessage.Frame kind = unknownKind.getStartFrame().next.next.next.next.next;
      kind.content[0] = 99;
      assertThat(refusal(ask(client, unknownKind))).contains("no Compact schemas that can be read");
      ClientMessage ends = ClientSendSchemaCodec.encodeRequest(ForgedSchema.schema("vague", "a"));
      ends.getStartFrame().next.next = null;
      assertThat(refusal(ask(client, ends))).contains("no Compact schemas that can be read");
      ClientMessage twice =
          ClientSendSchemaCodec.encodeRequest(ForgedSchema.schema("vague", "a", "b"));
      ClientMessage.Frame name = twice.getStartFrame().next.next.next.next.next.next;
      name.content[0] = 'b';
      assertThat(refusal(ask(client, twice))).contains("two fields of one name");
      assertThat(fetch(client, 4711)).isNull();
    }
  }

  @Test
  void schemasAreOperationsOfTheirTenant() throws IOException {
    Schema schema = ForgedSchema.schema("charged", "a");
    List<ClientMessage> requests =
        List.of(
            ClientSendSchemaCodec.encodeRequest(schema),
            ClientSendAllSchemasCodec.encodeRequest(List.of(schema)),
            ClientFetchSchemaCodec.encodeRequest(schema.getSchemaId()));
    try (RawClient client = client("charged")) {
      for (ClientMessage request : requests) {
        assertAccepted(ask(client, request));
      }
      assertThat(first.reading("charged").operations()).isEqualTo(requests.size());
      first.quota("charged", Quota.USUAL.with(Limit.OPERATIONS, 1L).with(Limit.BURST, 1L));
      for (ClientMessage request : requests) {
        boolean refused = false;
        for (int i = 0; i < 100 && !refused; i++) {
          ClientMessage answer = ask(client, request);
          refused = answer.getMessageType() == ErrorsCodec.EXCEPTION_MESSAGE_TYPE;
          if (refused) {
            assertThat(error(answer).getErrorCode())
                .isEqualTo(ClientProtocolErrorCodes.HAZELCAST_OVERLOAD);
          }
        }
        assertThat(refused).isTrue();
      }
    }
    assertThat(MessageTable.get(ClientSendSchemaCodec.REQUEST_MESSAGE_TYPE).measure())
        .isEqualTo(Measure.WRITES);
  }

  @Test
  void aClientIsToldInItsOwnWords() {
    HazelcastInstance client = first.client("refused");
    try {
      GenericRecord large =
          GenericRecordBuilder.compact("large")
              .setInt32("x".repeat(TenantSchemas.MOST_BYTES_EACH), 1)
              .build();
      assertThatThrownBy(() -> client.getMap("m").set(1, large))
          .hasStackTraceContaining("split the class");
    } finally {
      client.shutdown();
    }
  }
}
