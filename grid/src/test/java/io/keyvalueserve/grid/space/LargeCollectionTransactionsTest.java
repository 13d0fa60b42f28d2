package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.recordstore.RecordStore;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions on collections in pages: the same as on the reference engine, at little cost. */
final class LargeCollectionTransactionsTest {
  private static final Identity ACME = new Identity(new TenantName("acme"), 1, "key");
  private static final MapName MAP = new MapName("large");
  private static final List<String> KEYS = List.of("hash", "list", "set", "sorted", "any");
  private static final int PARTITIONS = 31;
  private static final int ROUNDS = 250;
  private static final int NAMES = 2_000;

  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** A step of a transaction. */
  @FunctionalInterface
  private interface Step {
    String run(TransactionView view, KeyMap map);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void doTheSameAsInTheReferenceEngine(int members) {
    try (TestGrid grid = new TestGrid(members, PARTITIONS)) {
      Engine reference = new MapEngine(InstantSource.system());
      for (int i = 0; i < ROUNDS; i++) {
        List<Step> steps = steps();
        List<String> expected = run(reference.space(ACME), steps);
        List<String> found = run(grid.engine(i % members).space(ACME), steps);
        assertThat(found).as("seed %d, round %d", seed, i).isEqualTo(expected);
      }
      List<Step> all = List.of(this::contents);
      assertThat(run(grid.engine(0).space(ACME), all))
          .as("seed %d", seed)
          .isEqualTo(run(reference.space(ACME), all));
      for (String key : KEYS) {
        var _ = Batches.run(grid.map(0, "acme", "large"), new KeyCommand.Remove(utf8(key), false));
      }
      await().untilAsserted(() -> assertThat(pages(grid, members)).isZero());
    }
  }

  private static int pages(TestGrid grid, int members) {
    int pages = 0;
    for (int member = 0; member < members; member++) {
      MapService service =
          TestGrid.nodeEngine(grid.member(member)).getService(MapService.SERVICE_NAME);
      for (int partition = 0; partition < PARTITIONS; partition++) {
        RecordStore<?> store =
            service
                .getMapServiceContext()
                .getExistingRecordStore(partition, HiddenMaps.pagesOf("acme/large"));
        pages += store == null ? 0 : store.size();
      }
    }
    return pages;
  }

  private static List<String> run(TenantSpace space, List<Step> steps) {
    KeyMap map = space.map(MAP);
    List<KeyRef> keys = KEYS.stream().map(key -> new KeyRef(map, utf8(key))).toList();
    return Batches.await(
            space.transact(
                new TransactionRequest<>(
                    keys,
                    List.of(),
                    view -> {
                      List<String> answers = new ArrayList<>();
                      steps.forEach(step -> answers.add(step.run(view, map)));
                      return answers;
                    })))
        .orElseThrow();
  }

  private String contents(TransactionView view, KeyMap map) {
    StringBuilder all = new StringBuilder();
    for (String key : KEYS) {
      all.append(execute(view, map, key, HashOperation.SIZE, Arguments.NONE)).append('\n');
      all.append(execute(view, map, key, ListOperation.RANGE, Arguments.NONE.with(0, -1)))
          .append('\n');
      all.append(
              execute(view, map, key, SortedSetOperation.WITHIN, Arguments.NONE)) // or its refusal
          .append('\n');
      for (int i = 0; i < NAMES; i += 97) {
        all.append(execute(view, map, key, HashOperation.GET, names(i, 1)));
        all.append(execute(view, map, key, SetOperation.CONTAINS, names(i, 1)));
        all.append(execute(view, map, key, SortedSetOperation.RANK, names(i, 1).with(0)));
      }
    }
    return all.toString();
  }

  private static String execute(
      TransactionView view, KeyMap map, String key, CollectionOperation operation, Arguments with) {
    return Batches.text(
        view.execute(
            map,
            new KeyCommand.OnCollection(
                utf8(key), operation, with, KeyCommand.MOST_COLLECTION_BYTES)));
  }

  private List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      steps.add(step());
    }
    return steps;
  }

  private Step step() {
    String key = KEYS.get(random.nextInt(KEYS.size()));
    int from = random.nextInt(NAMES);
    int count = random.nextInt(8) == 0 ? 300 : 1 + random.nextInt(3);
    int what = random.nextInt(40);
    return switch (what) {
      case 0 ->
          (view, map) -> Batches.text(view.execute(map, new KeyCommand.Remove(utf8(key), false)));
      case 1 ->
          (view, map) ->
              Batches.text(view.execute(map, KeyCommand.Write.of(utf8("any"), utf8("text"))));
      case 2, 3 -> {
        String to = KEYS.get(random.nextInt(KEYS.size()));
        yield (view, map) -> view.copy(map, utf8(key), map, utf8(to), true).toString();
      }
      default -> change(key, from, count, what % 4);
    };
  }

  private static Step change(String key, int from, int count, int what) {
    CollectionOperation operation =
        switch (key) {
          case "hash" ->
              List.of(
                      HashOperation.SET,
                      HashOperation.REMOVE,
                      HashOperation.SET,
                      HashOperation.GET_MANY)
                  .get(what);
          case "list" ->
              List.of(
                      ListOperation.PUSH_LAST,
                      ListOperation.POP_FIRST,
                      ListOperation.PUSH_FIRST,
                      ListOperation.GET)
                  .get(what);
          case "set" ->
              List.of(
                      SetOperation.ADD,
                      SetOperation.REMOVE,
                      SetOperation.ADD,
                      SetOperation.CONTAINS_MANY)
                  .get(what);
          case "sorted" ->
              List.of(
                      SortedSetOperation.ADD,
                      SortedSetOperation.REMOVE,
                      SortedSetOperation.ADD,
                      SortedSetOperation.SCORES)
                  .get(what);
          default ->
              List.of(
                      HashOperation.SET,
                      ListOperation.PUSH_LAST,
                      SetOperation.ADD,
                      SortedSetOperation.ADD)
                  .get(what);
        };
    Arguments names = names(from, count);
    Arguments with =
        switch (operation) {
          case HashOperation.SET -> pairs(from, count);
          case ListOperation.GET -> Arguments.NONE.with(from % 1_000);
          case ListOperation.POP_FIRST -> Arguments.NONE;
          case SortedSetOperation.ADD ->
              names.with(
                  LongStream.concat(
                          LongStream.of(0),
                          LongStream.range(0, count)
                              .map(
                                  i ->
                                      Double.doubleToRawLongBits((double) ((from * 7L + i) % 501))))
                      .toArray());
          default -> names;
        };
    return (view, map) -> execute(view, map, key, operation, with);
  }

  private static Arguments names(int from, int count) {
    byte[][] names = new byte[count][];
    Arrays.setAll(names, i -> ("name-" + (from + i) % NAMES).getBytes(UTF_8));
    return Arguments.of(List.of(names));
  }

  private static Arguments pairs(int from, int count) {
    byte[][] pairs = new byte[2 * count][];
    Arrays.setAll(
        pairs, i -> ((i % 2 == 0 ? "name-" : "value-") + (from + i / 2) % NAMES).getBytes(UTF_8));
    return Arguments.of(List.of(pairs));
  }

  /**
   * To push and pop one element of a queue of 2 MB, the body runs a few times, and reads little.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void readsOnlyThePagesThatItNeeds(int members) {
    try (TestGrid grid = new TestGrid(members, PARTITIONS)) {
      TenantSpace space = grid.engine(0).space(ACME);
      KeyMap map = space.map(MAP);
      for (int i = 0; i < 100; i++) {
        String _ =
            Batches.text(
                Batches.run(
                    map,
                    new KeyCommand.OnCollection(
                        utf8("list"),
                        ListOperation.PUSH_LAST,
                        names(i * 20, 1_000),
                        KeyCommand.MOST_COLLECTION_BYTES)));
      }
      AtomicInteger runs = new AtomicInteger();
      AtomicBoolean locked = new AtomicBoolean();
      grid.engine(0).transactions().probe(step -> locked.set(true));
      grid.engine(0).transactions().setMostReadBytes(100_000);
      List<Step> steps =
          List.of(
              (view, all) -> {
                runs.incrementAndGet();
                return execute(view, all, "list", ListOperation.POP_FIRST, Arguments.NONE);
              },
              (view, all) -> execute(view, all, "list", ListOperation.PUSH_LAST, names(5, 1)),
              (view, all) -> execute(view, all, "list", ListOperation.SIZE, Arguments.NONE));
      assertThat(run(space, steps))
          .containsExactly("Entry name-0", "Integer 100000", "Integer 100000");
      assertThat(members == 1 || locked.get()).as("locked at members").isTrue();
      assertThat(runs.get()).isBetween(members > 1 ? 2 : 1, 9); // once more for pages it lacked
      assertThat(run(grid.engine(members - 1).space(ACME), steps).getFirst())
          .isEqualTo("Entry name-1");
    }
  }
}
