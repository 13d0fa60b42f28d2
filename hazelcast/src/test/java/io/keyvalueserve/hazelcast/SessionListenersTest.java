package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import io.keyvalueserve.gates.heap.HeapAccount;
import io.keyvalueserve.gates.heap.HeapLedger;
import io.keyvalueserve.gates.heap.HeapLimits;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Listeners are counted from when they are asked for until they are gone, whatever is said. */
final class SessionListenersTest {
  private static final int TENANT = 3;

  private final TenantsListeners all = new TenantsListeners();
  private final HeapAccount account =
      new HeapLedger(new HeapLimits(100_000, 100_000)).account("acme");
  private final SessionListeners session = new SessionListeners(all.enter(TENANT), account);

  private static ClientMessage numbered(ClientMessage message, long number) {
    message.setCorrelationId(number);
    return message;
  }

  private static ClientMessage add(long number) {
    return numbered(MapAddEntryListenerCodec.encodeRequest("m", true, 1, true), number);
  }

  private static ClientMessage added(long number, UUID id) {
    return numbered(MapAddEntryListenerCodec.encodeResponse(id), number);
  }

  private static ClientMessage remove(long number, UUID id) {
    return numbered(MapRemoveEntryListenerCodec.encodeRequest("m", id), number);
  }

  private static ClientMessage removed(long number) {
    return numbered(MapRemoveEntryListenerCodec.encodeResponse(true), number);
  }

  private static ClientMessage failed(long number) {
    return numbered(ErrorsCodec.encode(List.of()), number);
  }

  private static @Nullable String ask(
      SessionListeners session, ClientMessage request, String name, boolean foreign) {
    return session.ask(request, MessageTable.get(request.getMessageType()), name, foreign);
  }

  @Test
  void countsUntilTheRemovalIsAnswered() {
    UUID id = new UUID(1, 2);
    assertThat(ask(session, add(1), "m", true)).isNull();
    assertThat(all.of(TENANT)).isEqualTo(1);
    assertThat(session.leaves(remove(2, id), "m")).as("not added yet").isFalse();
    assertThat(session.answered(added(1, id))).isTrue();
    assertThat(session.leaves(remove(3, id), "m")).isTrue();
    assertThat(session.answered(numbered(MapGetCodec.encodeResponse(null), 3))).isTrue();
    assertThat(session.answered(failed(3))).isTrue();
    assertThat(all.of(TENANT)).as("the removal failed").isEqualTo(1);
    assertThat(session.leaves(remove(4, id), "m")).isTrue();
    assertThat(session.answered(removed(4))).isTrue();
    assertThat(all.of(TENANT)).isZero();
    assertThat(session.answered(removed(4))).isTrue();
    assertThat(all.of(TENANT)).isZero();
  }

  @Test
  void tellsOfAListenerThatIsNotCounted() {
    assertThat(ask(session, add(1), "m", false)).isNull();
    assertThatThrownBy(() -> ask(session, add(1), "m", false))
        .isInstanceOf(MessageRefusedException.class);
    assertThat(session.answered(failed(1))).isTrue();
    assertThat(session.answered(added(1, new UUID(1, 2)))).isFalse();
  }

  @Test
  void givesBackWhatIsLeftWhenItEnds() {
    SessionListeners other = new SessionListeners(all.enter(TENANT), account);
    assertThat(ask(other, add(1), "m", false)).isNull();
    assertThat(ask(session, add(1), "m", true)).isNull();
    assertThat(ask(session, add(2), "m", false)).isNull();
    assertThat(session.answered(added(2, new UUID(1, 2)))).isTrue();
    assertThat(all.of(TENANT)).isEqualTo(3);
    session.end();
    session.end();
    assertThat(session.answered(added(1, new UUID(3, 4)))).isTrue();
    assertThat(ask(session, add(5), "m", true)).isNull();
    assertThat(all.of(TENANT)).isEqualTo(1);
    other.end();
    assertThat(all.of(TENANT)).isZero();
    assertThat(account.held()).isZero();
  }

  @Test
  void bytesOfListenersAreBounded() {
    String name = "m".repeat(20_000);
    ClientMessage large = MapAddEntryListenerCodec.encodeRequest(name, true, 1, true);
    assertThat(ask(session, numbered(large, 1), name, false)).isNull();
    assertThat(account.held()).isGreaterThan(60_000);
    assertThat(ask(session, numbered(large, 2), name, false)).contains("keeps up to 100000 bytes");
    assertThat(all.of(TENANT)).isEqualTo(1);
    assertThat(session.answered(failed(1))).isTrue();
    assertThat(account.held()).isZero();
    assertThat(ask(session, numbered(large, 3), name, false)).isNull();
    session.end();
    assertThat(account.held()).isZero();
  }

  @Test
  void allOpenRequestsForListenersAreKnown() {
    Map<String, String> known = new TreeMap<>();
    Map<String, String> expected = new TreeMap<>();
    Codec.open()
        .forEach(
            (codec, descriptor) -> {
              boolean once =
                  codec.name().matches("ClientAddClusterViewListener.*|ClientLocalBackup.*");
              if (!codec.name().contains("Listener") || once) {
                assertThat(descriptor.addsListener()).as(codec.name()).isFalse();
                assertThat(descriptor.removesListener()).as(codec.name()).isFalse();
                return;
              }
              known.put(
                  codec.name(),
                  descriptor.addsListener()
                      ? "adds"
                      : descriptor.removesListener() ? "removes" : "");
              expected.put(codec.name(), codec.name().contains("Remove") ? "removes" : "adds");
              if (descriptor.addsListener()) {
                MessageDescriptor remover = MessageTable.get(descriptor.remover());
                assertThat(remover.removesListener()).isTrue();
                assertThat(remover.type() >>> 16).isEqualTo(descriptor.type() >>> 16);
              }
            });
    assertThat(known).hasSizeGreaterThan(25).isEqualTo(expected);
  }
}
