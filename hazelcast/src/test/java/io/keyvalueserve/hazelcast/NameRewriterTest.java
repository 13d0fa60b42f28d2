package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxiesCodec;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxyCodec;
import com.hazelcast.client.impl.protocol.codec.MapFetchNearCacheInvalidationMetadataCodec;
import io.keyvalueserve.hazelcast.Structure.Placement;
import io.keyvalueserve.tenancy.TenantName;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Holds the rewriting of names against every codec of Hazelcast that the door lets through: a
 * request is encoded by the codec itself with sample arguments, rewritten, and decoded again.
 */
class NameRewriterTest {
  private static final String NAME = "orders";

  private final ObjectNames names = new ObjectNames(new TenantName("acme"));
  private final NameRewriter rewriter = new NameRewriter(names, NoGrants.of("acme"));

  @TestFactory
  Stream<DynamicTest> rewritesTheNameAndNothingElseInEveryCodec() {
    List<Codec> named = Codec.all().filter(codec -> placementOf(codec) != null).toList();
    assertThat(named).hasSizeGreaterThan(200);
    return named.stream().map(codec -> DynamicTest.dynamicTest(codec.name(), () -> check(codec)));
  }

  private void check(Codec codec) {
    check(codec, false);
    check(codec, true);
  }

  /** Whether the name was read before makes no difference. */
  private void check(Codec codec, boolean isKnown) {
    Placement placement = Objects.requireNonNull(placementOf(codec));
    ClientMessage message = codec.encodeSample(NAME);
    Map<String, String> before = codec.decodeFields(message);
    rewriter.rewriteName(message, placement, isKnown ? NameRewriter.nameIn(message) : null);
    Map<String, String> after = codec.decodeFields(message);

    String gridName = names.toGrid(NAME, placement);
    assertThat(before.values()).as("the sample holds the name once").containsOnlyOnce(NAME);
    before.replaceAll((field, value) -> value.equals(NAME) ? gridName : value);
    assertThat(after).isEqualTo(before);
  }

  private static @Nullable Placement placementOf(Codec codec) {
    MessageDescriptor descriptor = codec.descriptor();
    MessageRule rule = descriptor == null ? null : descriptor.rule();
    if (rule == MessageRule.KEYED_NAME) {
      return Placement.BY_KEY;
    }
    return rule == MessageRule.SINGLE_NAME ? Placement.BY_NAME : null;
  }

  @Test
  void rewritesANameByItsService() {
    ClientMessage message = ClientCreateProxyCodec.encodeRequest(NAME, Structure.QUEUE.service());
    rewriter.rewriteNameAndService(message, false);
    assertThat(ClientCreateProxyCodec.decodeRequest(message).name).isEqualTo("acme/orders@orders");
    assertThat(ClientCreateProxyCodec.decodeRequest(message).serviceName)
        .isEqualTo(Structure.QUEUE.service());
  }

  @Test
  void refusesServicesThatAreNotForTenants() {
    for (String service :
        List.of("hz:impl:executorService", "hz:impl:cacheService", "hz:impl:jetService", "?")) {
      ClientMessage message = ClientCreateProxyCodec.encodeRequest(NAME, service);
      assertThatThrownBy(() -> rewriter.rewriteNameAndService(message, false))
          .isInstanceOf(MessageRefusedException.class)
          .hasMessageContaining(service);
    }
  }

  @Test
  void rewritesAListOfNamesAndServices() {
    ClientMessage message =
        ClientCreateProxiesCodec.encodeRequest(
            List.of(
                Map.entry(NAME, Structure.MAP.service()),
                Map.entry(NAME, Structure.LIST.service())));
    rewriter.rewriteNamesAndServices(message);
    assertThat(ClientCreateProxiesCodec.decodeRequest(message))
        .containsExactly(
            Map.entry("acme/orders", Structure.MAP.service()),
            Map.entry("acme/orders@orders", Structure.LIST.service()));
  }

  @Test
  void rewritesAListOfMaps() {
    UUID member = UUID.randomUUID();
    ClientMessage message =
        MapFetchNearCacheInvalidationMetadataCodec.encodeRequest(List.of("a", "b"), member);
    rewriter.rewriteMapNames(message);
    var decoded = MapFetchNearCacheInvalidationMetadataCodec.decodeRequest(message);
    assertThat(decoded.names).containsExactly("acme/a", "acme/b");
    assertThat(decoded.uuid).isEqualTo(member);
  }

  @Test
  void takesEmptyLists() {
    ClientMessage message = ClientCreateProxiesCodec.encodeRequest(List.of());
    rewriter.rewriteNamesAndServices(message);
    assertThat(ClientCreateProxiesCodec.decodeRequest(message)).isEmpty();
  }
}
