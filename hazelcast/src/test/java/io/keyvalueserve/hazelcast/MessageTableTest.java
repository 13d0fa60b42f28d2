package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
          "SqlClose",
          "SqlExecute",
          "SqlFetch",
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
      if (codec.descriptor() != null) {
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
            .filter(type -> MessageTable.find(type) != null)
            .count();
    assertThat(open).isZero();
  }

  @Test
  void saysInWordsWhatIsClosed() {
    List<Codec> closed =
        Codec.all()
            .filter(codec -> codec.descriptor() == null)
            .sorted(Comparator.comparing(Codec::name))
            .toList();
    assertThat(closed).hasSizeGreaterThan(150);
    for (Codec codec : closed) {
      assertThat(ClosedFamilies.describe(codec.requestType()))
          .as(codec.name())
          .doesNotContain("does not know");
    }
  }

  @Test
  void aRowIsFoundByItsRequestAndByItsAnswer() {
    int type = MapGetCodec.REQUEST_MESSAGE_TYPE;
    assertThat(MessageTable.get(type)).isSameAs(MessageTable.answeredBy(type + 1));
    assertThat(MessageTable.answeredBy(type)).isNull();
    assertThat(MessageTable.answeredBy(0)).isNull();
    assertThatThrownBy(() -> MessageTable.get(type + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The kinds of requests that are bounded apart from each other while they wait. */
  @Test
  void waitsAsTheDocumentsSay() throws IOException {
    Map<WaitingKind, Set<String>> operations = new EnumMap<>(WaitingKind.class);
    Codec.open()
        .forEach(
            (codec, descriptor) -> {
              if (descriptor.measure() != null) {
                operations
                    .computeIfAbsent(descriptor.waiting(), any -> new TreeSet<>())
                    .add(operation(codec));
              }
            });
    String docs = Files.readString(Path.of("..", "docs", "tenancy.md"));
    assertThat(operations.get(WaitingKind.PARKED)).isEqualTo(codeIn(rowOf(docs, "parked")));
    assertThat(operations.get(WaitingKind.FREEING))
        .containsExactlyInAnyOrder("unlock", "forceUnlock", "commit", "rollback");
    assertThat(rowOf(docs, "freeing")).contains("`unlock`", "commit", "rollback");
  }

  private static String rowOf(String docs, String kind) {
    Matcher row = Pattern.compile("(?m)^\\| " + kind + " \\| ([^|]*) \\|$").matcher(docs);
    assertThat(row.find()).as(kind).isTrue();
    return row.group(1);
  }

  private static Set<String> codeIn(String text) {
    return Pattern.compile("`(\\w+)`")
        .matcher(text)
        .results()
        .map(code -> code.group(1))
        .collect(Collectors.toSet());
  }

  /** The method of the client's interface, for example tryLock of MultiMapTryLockCodec. */
  private static String operation(Codec codec) {
    String request = codec.name().substring(0, codec.name().length() - "Codec".length());
    String method =
        request
            .replaceFirst("^(Transactional(?=[A-Z])|Transaction(?=[A-Z]))", "")
            .replaceFirst("^(MultiMap|ReplicatedMap|Map|Queue)", "");
    return method.substring(0, 1).toLowerCase(Locale.ROOT) + method.substring(1);
  }
}
