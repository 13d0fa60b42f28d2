package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Holds the table against Hazelcast's own list of message types: what is open is listed here by
 * family.
 */
class MessageTableTest {
  private static final Set<String> CLOSED_MAP_REQUESTS =
      Set.of(
          "MapAddInterceptor",
          "MapRemoveInterceptor",
          "MapEventJournalRead",
          "MapEventJournalSubscribe",
          "MapFetchWithQuery",
          "MapPutAllWithMetadata",
          "MapReplaceAll",
          "ReplicatedMapPutAllWithMetadata",
          "ReplicatedMapFetchEntryViews",
          "ReplicatedMapEndEntryViewIteration");

  private static final Set<String> OPEN_CLIENT_REQUESTS =
      Set.of(
          "ClientAuthentication",
          "ClientAuthenticationCustom",
          "ClientAddClusterViewListener",
          "ClientAddPartitionLostListener",
          "ClientRemovePartitionLostListener",
          "ClientPing",
          "ClientStatistics",
          "ClientTriggerPartitionAssignment",
          "ClientLocalBackupListener",
          "ClientSendSchema",
          "ClientFetchSchema",
          "ClientSendAllSchemas",
          "ClientAddDistributedObjectListener",
          "ClientRemoveDistributedObjectListener",
          "ClientGetDistributedObjects",
          "ClientCreateProxy",
          "ClientCreateProxies",
          "ClientDestroyProxy");

  private static final List<String> OPEN_FAMILIES =
      List.of(
          "Map",
          "MultiMap",
          "ReplicatedMap",
          "Queue",
          "Topic",
          "List",
          "Set",
          "Ringbuffer",
          "PNCounter",
          "FlakeIdGenerator",
          "CardinalityEstimator",
          "Transaction");

  @Test
  void opensWhatIsListedHereAndNothingElse() {
    Set<String> open = new TreeSet<>();
    Set<String> expected = new TreeSet<>();
    for (Codec codec : Codec.all().toList()) {
      String request = codec.name().substring(0, codec.name().length() - "Codec".length());
      if (MessageTable.ruleOf(codec.requestType()) != null) {
        open.add(request);
      }
      if (isExpectedOpen(request)) {
        expected.add(request);
      }
    }
    assertThat(open).isEqualTo(expected);
    assertThat(open).hasSizeGreaterThan(200);
  }

  private static boolean isExpectedOpen(String request) {
    return OPEN_CLIENT_REQUESTS.contains(request)
        || (!CLOSED_MAP_REQUESTS.contains(request)
            && OPEN_FAMILIES.stream().anyMatch(request::startsWith));
  }

  @Test
  void refusesEveryTypeThatNoCodecHas() {
    Set<Integer> known = Codec.all().map(Codec::requestType).collect(Collectors.toSet());
    long open =
        IntStream.concat(
                IntStream.range(0, 1 << 16).map(type -> type << 8),
                IntStream.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x01000100, 0x000101))
            .filter(type -> !known.contains(type))
            .filter(type -> MessageTable.ruleOf(type) != null)
            .count();
    assertThat(open).isZero();
  }

  @Test
  void saysInWordsWhatIsClosed() {
    List<Codec> closed =
        Codec.all()
            .filter(codec -> MessageTable.ruleOf(codec.requestType()) == null)
            .sorted(Comparator.comparing(Codec::name))
            .toList();
    assertThat(closed).hasSizeGreaterThan(150);
    for (Codec codec : closed) {
      assertThat(ClosedFamilies.describe(codec.requestType()))
          .as(codec.name())
          .doesNotContain("does not know");
    }
  }
}
