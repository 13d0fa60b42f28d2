package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddNearCacheInvalidationListenerCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.client.impl.protocol.codec.QueueOfferCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCommitCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionRollbackCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapSetCodec;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.util.HashUtil;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.MapGrants;
import io.keyvalueserve.tenancy.grant.Right;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every request on another tenant's map needs what {@code docs/tenancy.md} says, on the keys that
 * Hazelcast's own codec finds in it.
 */
class MapNeedsTest {
  private static final String MAP = "acme/orders";
  private static final int PARTITIONS = 271;
  private static final String ON_MAP = " on the whole map";
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "FetchNearCacheInvalidationMetadata", "leaves out maps that may not be read as a whole");

  private final TenantDirectory tenants = new TenantDirectory(false);
  private final GrantDirectory grants = new GrantDirectory(tenants, InstantSource.system());
  private final GrantedMaps granted =
      new GrantedMaps(new Identity(new TenantName("globex"), 2, "k"), grants);
  private long revision;
  private long requests;

  @BeforeEach
  void knowTheOwner() {
    tenants.apply(
        new Tenant(
            new TenantName("acme"),
            1,
            TenantState.ACTIVE,
            Instant.EPOCH,
            List.of(),
            Quota.USUAL,
            1));
  }

  private boolean admit(ClientMessage message) {
    return granted.admit(message, MessageTable.get(message.getMessageType()), PARTITIONS);
  }

  private void grant(Map<Scope, Rights> given) {
    List<Grant> all = new ArrayList<>();
    given.forEach(
        (scope, rights) ->
            all.add(
                new Grant(
                    "" + all.size(),
                    new TenantName("globex"),
                    2,
                    scope,
                    rights,
                    Instant.EPOCH,
                    null,
                    "operator")));
    QualifiedName map = new QualifiedName(new TenantName("acme"), new MapName("orders"));
    grants.apply(new MapGrants(map, 1, all, ++revision));
  }

  private static Map<String, String> documented() throws IOException {
    String docs = Files.readString(Path.of("..", "docs", "tenancy.md"));
    String table =
        docs.substring(docs.indexOf("### Requests of Hazelcast clients on another's") + 1);
    table = table.substring(0, table.indexOf("\n##"));
    Map<String, String> needs = new TreeMap<>();
    Matcher rows = Pattern.compile("(?m)^\\| (`[^|]*`) \\| ([^|]*) \\|$").matcher(table);
    while (rows.find()) {
      for (String name : rows.group(1).replace("`", "").split(" ", -1)) {
        assertThat(needs.put(name, rows.group(2))).as(name).isNull();
      }
    }
    return needs;
  }

  /** The requests on maps that are open to owners, by their names in the table. */
  private static Map<String, Codec> onMaps() {
    Map<String, Codec> codecs = new TreeMap<>();
    Codec.open().keySet().stream()
        .filter(codec -> codec.name().matches("(Map|TransactionalMap).*"))
        .forEach(
            codec ->
                codecs.put(
                    codec.name().substring(0, codec.name().length() - 5).replaceFirst("^Map", ""),
                    codec));
    return codecs;
  }

  @Test
  void theTableHasEveryRequestOnMaps() throws IOException {
    assertThat(documented().keySet()).isEqualTo(new TreeSet<>(onMaps().keySet()));
    ELSEWHERE.forEach((name, need) -> assertThat(needOf(name)).isEqualTo(need));
  }

  private static String needOf(String name) {
    try {
      return documented().getOrDefault(name, "");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @TestFactory
  Stream<DynamicTest> everyRequestNeedsWhatTheTableSays() {
    return onMaps().entrySet().stream()
        .filter(each -> !ELSEWHERE.containsKey(each.getKey()))
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey(), () -> check(each.getValue(), needOf(each.getKey()))));
  }

  private void check(Codec codec, String need) {
    switch (need) {
      case "nothing" -> {
        grant(Map.of());
        assertThat(isAdmitted(codec)).isTrue();
      }
      case "read on any key, and hears events of keys that may be read" -> {
        grant(Map.of());
        assertThat(isAdmitted(codec)).isFalse();
        grant(Map.of(Scope.MAP, new Rights(Rights.ALL.bits() & ~Rights.READ.bits())));
        assertThat(isAdmitted(codec)).as("all but read").isFalse();
        grant(Map.of(Scope.key("some"), Rights.READ));
        assertThat(isAdmitted(codec)).isTrue();
      }
      default -> checkRights(codec, need);
    }
  }

  private void checkRights(Codec codec, String need) {
    boolean onMap = need.contains(ON_MAP);
    Rights rights = Rights.parse(need.substring(0, need.indexOf(" on ")));
    ClientMessage message = codec.encodeDistinct(MAP);
    List<String> keys = onMap ? List.of() : codec.keys(message);
    assertThat(onMap || !keys.isEmpty()).as("%s names keys", codec.name()).isTrue();

    grant(Map.of(Scope.MAP, rights));
    assertThat(isAdmitted(codec)).as("%s on the whole map", rights).isTrue();
    for (Right right : Right.values()) {
      Rights without = new Rights(Rights.ALL.bits() & ~Rights.of(right).bits());
      grant(Map.of(Scope.MAP, without));
      assertThat(isAdmitted(codec)).as("%s", without).isEqualTo(without.cover(rights));
    }
    grant(Map.of(Scope.prefix("data"), Rights.ALL));
    assertThat(isAdmitted(codec)).as("all keys, not the map").isEqualTo(!onMap);
    if (!onMap) {
      assertThat(isAdmitted(codec, keys, rights)).as("these keys alone").isTrue();
      for (String missing : keys) {
        Map<Scope, Rights> others = new HashMap<>();
        for (int i = 0; i < 10; i++) {
          others.put(Scope.key("data" + i), Rights.ALL);
        }
        others.put(Scope.key(missing), new Rights(Rights.ALL.bits() & ~rights.bits()));
        grant(others);
        assertThat(isAdmitted(codec)).as("without %s on '%s'", rights, missing).isFalse();
      }
    }
  }

  private boolean isAdmitted(Codec codec, List<String> keys, Rights rights) {
    Map<Scope, Rights> given = new HashMap<>();
    keys.forEach(key -> given.put(Scope.key(key), rights));
    grant(given);
    return isAdmitted(codec);
  }

  private boolean isAdmitted(Codec codec) {
    try {
      ClientMessage message = codec.encodeDistinct(MAP);
      message.setCorrelationId(++requests);
      assertThat(admit(message)).isTrue();
      return true;
    } catch (MessageRefusedException e) {
      assertThat(e.getMessage()).contains("globex").contains(MAP);
      return false;
    }
  }

  @Test
  void whatIsNoMapIsNotGranted() {
    grant(Map.of(Scope.MAP, Rights.ALL));
    for (String other : List.of("MultiMapGetCodec", "ReplicatedMapGetCodec")) {
      Codec codec = Codec.all().filter(each -> each.name().equals(other)).findAny().orElseThrow();
      assertThatThrownBy(() -> admit(codec.encodeDistinct(MAP)))
          .isInstanceOf(MessageRefusedException.class)
          .hasMessageContaining("only the owner may");
    }
    assertThat(admit(QueueOfferCodec.encodeRequest("own", Messages.data("value"), 1))).isFalse();
  }

  @Test
  void namesOfTheTenantsOwnAreNotForeign() {
    for (String own : List.of("orders", "globex/orders", "", "or@ders", "globex/a/b")) {
      assertThat(granted.isForeign(own)).as(own).isFalse();
    }
    for (String foreign : List.of("acme/orders", "/orders", "globe/orders", "globex2/orders")) {
      assertThat(granted.isForeign(foreign)).as(foreign).isTrue();
      assertThatThrownBy(() -> admit(MapGetCodec.encodeRequest(foreign, Messages.data("k"), 1)))
          .isInstanceOf(MessageRefusedException.class)
          .hasMessageContaining("has no grant on '" + foreign + "'");
    }
  }

  @Test
  void aKeyComesWithThePartitionThatItLiesIn() {
    grant(Map.of(Scope.MAP, Rights.ALL));
    Data key = Messages.data("k");
    int right = HashUtil.hashToIndex(key.getPartitionHash(), PARTITIONS);
    for (int partition = -1; partition < PARTITIONS; partition++) {
      ClientMessage message = MapSetCodec.encodeRequest(MAP, key, key, 1, -1);
      message.setPartitionId(partition);
      boolean isRight = partition == right || partition == -1;
      assertThat(isAdmitted(message)).as("%d", partition).isEqualTo(isRight);
    }
    byte[] ofItsOwnChoice = key.toByteArray().clone();
    ofItsOwnChoice[3] = 7;
    Data chosen = new HeapData(ofItsOwnChoice);
    assertThat(isAdmitted(MapSetCodec.encodeRequest(MAP, chosen, key, 1, -1))).isFalse();
  }

  private boolean isAdmitted(ClientMessage message) {
    try {
      return admit(message);
    } catch (MessageRefusedException e) {
      return false;
    }
  }

  @Test
  void aCommitThatWasRefusedIsRefusedAgainUntilItIsRolledBack() {
    UUID transaction = UUID.randomUUID();
    Data data = Messages.data("k");
    grant(Map.of(Scope.key("k"), Rights.ALL));
    assertThat(isAdmitted(TransactionalMapSetCodec.encodeRequest(MAP, transaction, 1, data, data)))
        .isTrue();
    grant(Map.of(Scope.key("k"), Rights.READ));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () -> granted.endTransaction(TransactionCommitCodec.encodeRequest(transaction, 1)))
          .isInstanceOf(MessageRefusedException.class);
    }
    granted.endTransaction(TransactionRollbackCodec.encodeRequest(transaction, 1));
    granted.endTransaction(TransactionCommitCodec.encodeRequest(transaction, 1)); // of nothing
  }

  @Test
  void twoListenersOfOneNumberAreRefused() {
    grant(Map.of(Scope.key("k"), Rights.READ));
    ClientMessage first = MapAddEntryListenerCodec.encodeRequest(MAP, true, 1, false);
    first.setCorrelationId(5);
    assertThat(admit(first)).isTrue();
    ClientMessage second = MapAddNearCacheInvalidationListenerCodec.encodeRequest(MAP, 1, false);
    second.setCorrelationId(5);
    grant(Map.of(Scope.MAP, Rights.READ));
    assertThatThrownBy(() -> admit(second)).isInstanceOf(MessageRefusedException.class);
  }

  @Test
  void aMessageThatEndsBeforeItsKeyIsRefused() {
    grant(Map.of(Scope.MAP, Rights.ALL));
    ClientMessage message = MapGetCodec.encodeRequest(MAP, Messages.data("k"), 1);
    message.getStartFrame().next.next = null;
    assertThatThrownBy(() -> admit(message)).isInstanceOf(MessageRefusedException.class);
  }
}
