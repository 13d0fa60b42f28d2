package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import io.keyvalueserve.billing.metering.Measure;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: every request that is open to Hazelcast clients is charged as what it is, and none is
 * forgotten. Method: all of Hazelcast's own message types against the words that their names are
 * made of, with the few exceptions by name.
 */
class MessageMeasuresTest {
  private static final Set<MessageRule> OF_DATA =
      EnumSet.of(
          MessageRule.OPERATION,
          MessageRule.KEYED_NAME,
          MessageRule.PROCESSOR,
          MessageRule.SCHEMA,
          MessageRule.INDEX,
          MessageRule.SINGLE_NAME);

  /** What a request does by the words of its name; the first that fits. */
  private static final List<Map.Entry<Pattern, Kind>> WORDS =
      List.of(
          is("Transaction(Commit|Rollback)", Measure.TRANSACTIONS),
          is("TransactionCreate|.*Listener(ToKey|WithPredicate|ToKeyWithPredicate)?", null),
          is(".*Lock(ed)?|.*Unlock", Measure.LOCKS),
          is("ClientSendSchema", Measure.WRITES),
          is("Map(SetTtl|Execute(OnKey|OnKeys)|SubmitToKey)", Measure.WRITES),
          is("Map(LoadAll|LoadGivenKeys|Flush|AddIndex|Execute.*)", Measure.QUERIES),
          is(
              "(?!PNCounter|Map.*Ttl).*(Clear|Delete|Remove|RemoveAll|RemoveIfSame|RemoveEntry"
                  + "|RemoveWithIndex|Evict|EvictAll|RetainAll|Poll|Take|DrainTo|DrainToMaxSize)",
              Measure.DELETES),
          is(".*(Put|PutAll|PutTransient.*|PutIfAbsent.*|PutWithMaxIdle)", Measure.WRITES),
          is(".*(Add|AddAll|AddWithIndex|AddAllWithIndex|Offer)", Measure.WRITES),
          is("(List|Map|TransactionalMap)Set(WithMaxIdle)?", Measure.WRITES),
          is(".*(Replace|ReplaceIfSame|Publish|PublishAll|NewIdBatch)", Measure.WRITES),
          is("(Queue|List).*(Contains|ContainsAll|Iterator|IndexOf|Sub)", Measure.QUERIES),
          is(".*(ContainsValue|WithPredicate|PagingPredicate|Set|Values)", Measure.QUERIES),
          is(".*(Aggregate|Project|FetchKeys|FetchEntries|(List|Set)GetAll)", Measure.QUERIES),
          is("(Transactional)?(Map|MultiMap|ReplicatedMap)(Size|IsEmpty)", Measure.QUERIES),
          is(".*", Measure.READS));

  private record Kind(@Nullable Measure measure) {}

  private static Map.Entry<Pattern, Kind> is(String words, @Nullable Measure measure) {
    return Map.entry(Pattern.compile(words), new Kind(measure));
  }

  private static @Nullable Measure expected(String request) {
    return WORDS.stream()
        .filter(words -> words.getKey().matcher(request).matches())
        .findFirst()
        .orElseThrow()
        .getValue()
        .measure();
  }

  private static String request(Codec codec) {
    return codec.name().substring(0, codec.name().length() - "Codec".length());
  }

  @Test
  void everyRequestIsChargedAsWhatItsNameSays() {
    Map<String, String> charged = new TreeMap<>();
    Map<String, String> expected = new TreeMap<>();
    Codec.open()
        .forEach(
            (codec, descriptor) -> {
              if (OF_DATA.contains(descriptor.rule())) {
                String request = request(codec);
                charged.put(request, String.valueOf(descriptor.measure()));
                expected.put(request, String.valueOf(expected(request)));
              }
            });
    assertThat(charged).hasSizeGreaterThan(200).isEqualTo(expected);
  }

  @Test
  void noneIsForgotten() {
    for (MessageRule rule : MessageRule.values()) {
      MessageRow row = new MessageRow(MapGetCodec.REQUEST_MESSAGE_TYPE, rule, null);
      if (OF_DATA.contains(rule)) {
        assertThatThrownBy(row::describe)
            .as("%s", rule)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("0x10200 is charged");
        assertThat(row.charged(Measure.READS).describe().measure()).isEqualTo(Measure.READS);
      } else {
        assertThat(row.describe().measure()).as("%s", rule).isNull();
      }
    }
  }

  @Test
  void whatIsAboutNoDataIsNotCharged() {
    List<String> charged = new ArrayList<>();
    Codec.open()
        .forEach(
            (codec, descriptor) -> {
              if (!OF_DATA.contains(descriptor.rule()) && descriptor.measure() != null) {
                charged.add(request(codec));
              }
            });
    assertThat(charged).isEmpty();
  }
}
