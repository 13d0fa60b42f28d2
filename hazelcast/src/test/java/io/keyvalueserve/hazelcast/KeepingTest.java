package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Goal: no request that is open to tenants makes a member keep bytes on its heap that no account
 * knows. Method: all of Hazelcast's own message types against the words that their names are made
 * of; what keeps nothing says so by its name.
 */
class KeepingTest {
  private static final List<Map.Entry<Pattern, Keeping>> WORDS =
      List.of(
          is("ClientAuthentication(Custom)?", Keeping.NOTHING), // the session; names are bounded
          is("Client(AddClusterView|LocalBackup)Listener", Keeping.NOTHING), // one of each
          is("ClientTriggerPartitionAssignment|ClientPing", Keeping.NOTHING),
          is(".*(Add|Near).*Listener(ToKey|WithPredicate|ToKeyWithPredicate)?", Keeping.LISTENER),
          is(
              "Client(Remove.*Listener|DestroyProxy|GetDistributedObjects|FetchSchema)",
              Keeping.NOTHING),
          is("ClientCreateProx(y|ies)", Keeping.OBJECT),
          is("ClientSend(All)?Schemas?", Keeping.SCHEMA),
          is("ClientStatistics", Keeping.STATISTICS),
          is("TransactionCreate", Keeping.TRANSACTION),
          is("Transaction(Commit|Rollback)", Keeping.NOTHING),
          is("Sql(Execute|Fetch|Close)", Keeping.NOTHING), // a page, and few statements at once
          is("Transactional.*", Keeping.TRANSACTION_RECORD),
          is("(Map|MultiMap)(Try)?Lock", Keeping.LOCK),
          is("(PNCounter|CardinalityEstimator)Add", Keeping.NAME),
          // Entries are outside the heap, and count to the memory of the tenant.
          is("Map(Put|Set|TryPut|Replace|PutIfAbsent|PutTransient|PutAll).*", Keeping.NOTHING),
          is("Map(Execute|Submit|Load|AddIndex).*", Keeping.NOTHING),
          is("TopicPublish(All)?|FlakeIdGeneratorNewIdBatch", Keeping.NOTHING), // passed on
          is(
              ".*(Put|PutAll|Add|AddAll|AddWithIndex|AddAllWithIndex|Offer|ListSet)",
              Keeping.ELEMENTS),
          is(
              ".*(Aggregate|Predicate|Project|Contains.*|FetchEntries|FetchKeys|Metadata|Get|GetAll"
                  + "|GetEntryView|IsEmpty|IsLocked|Set|Size|Values|ValueCount|Estimate|IndexOf"
                  + "|Iterator|Sub|Peek|Capacity|Sequence|ReadMany|ReadOne|ReplicaCount|Count)",
              Keeping.NOTHING),
          is(
              ".*(Remove.*|Clear|Delete|Evict|EvictAll|Flush|Unlock|RetainAll|Poll|Take|DrainTo"
                  + "|DrainToMaxSize)",
              Keeping.NOTHING));

  private static Map.Entry<Pattern, Keeping> is(String words, Keeping keeping) {
    return Map.entry(Pattern.compile(words), keeping);
  }

  private static String request(Codec codec) {
    return codec.name().substring(0, codec.name().length() - "Codec".length());
  }

  private static String expected(String request) {
    return WORDS.stream()
        .filter(words -> words.getKey().matcher(request).matches())
        .map(words -> words.getValue().toString())
        .findFirst()
        .orElse("not decided");
  }

  @Test
  void everyOpenRequestIsAccountedForOrKeepsNothing() {
    Map<String, String> found = new TreeMap<>();
    Map<String, String> expected = new TreeMap<>();
    Codec.open()
        .forEach(
            (codec, descriptor) -> {
              found.put(request(codec), descriptor.keeping().toString());
              expected.put(request(codec), expected(request(codec)));
            });
    assertThat(found).hasSizeGreaterThan(200).isEqualTo(expected);
  }

  @Test
  void everyRequestOnAnObjectIsKnownToBeOnIt() {
    List<String> unknown = new ArrayList<>();
    Codec.open()
        .forEach(
            (codec, descriptor) -> {
              boolean onObject =
                  switch (descriptor.rule()) {
                    case KEYED_NAME, SINGLE_NAME, PROCESSOR, INDEX -> true;
                    default -> false;
                  };
              if (onObject && descriptor.structure() == null) {
                unknown.add(request(codec));
              }
            });
    assertThat(unknown).isEmpty();
  }

  @Test
  void requestsOnManyElementsCountForEachOfThem() {
    Map<String, Integer> counted = new TreeMap<>();
    Codec.open()
        .forEach(
            (codec, descriptor) -> {
              String request = request(codec);
              if (request.matches(".*(All|AllWithIndex|GivenKeys|OnKeys)")
                  && !request.matches("(Map|Cache)(EvictAll|RemoveAll|LoadAll)|(List|Set)GetAll")) {
                counted.put(request, descriptor.size().of(codec.encodeDistinct("name")));
              }
            });
    assertThat(counted).hasSizeGreaterThan(15).containsKeys("QueueAddAll", "MultiMapPutAll");
    Map<String, Integer> one = new TreeMap<>(counted);
    one.values().removeIf(count -> count > 1);
    assertThat(one.keySet()).as("of two elements each").isSubsetOf("MultiMapPutAll");
  }
}
