package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.IndexType;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.recordstore.RecordStore;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.maps.CollectionData;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.PageKeys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Goal: whoever writes the head of a large collection by himself, as a Hazelcast client can, harms
 * nothing but that key. Method: heads that are forged, old, or another key's.
 */
final class DamagedHeadsTest {
  private static final int PARTITIONS = 31;
  private static final int ELEMENTS = 2_000;
  private static final String TENANT = "acme";

  private static TestGrid grid;

  private final String name = "damaged-" + System.nanoTime();

  @BeforeAll
  static void start() {
    grid = new TestGrid(2, PARTITIONS);
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  private KeyMap map(int member) {
    return grid.map(member, TENANT, name);
  }

  private IMap<Object, Object> raw() {
    return grid.member(0).getMap(TENANT + "/" + name);
  }

  private Outcome run(int member, String key, CollectionOperation operation, Arguments arguments) {
    return Batches.run(
        map(member),
        new KeyCommand.OnCollection(
            utf8(key), operation, arguments, KeyCommand.MOST_COLLECTION_BYTES));
  }

  private static Arguments texts(int from, int to, String... parts) {
    List<byte[]> texts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      for (String part : parts) {
        texts.add(utf8(part + i));
      }
    }
    return Arguments.of(texts);
  }

  private void fill(String key) {
    Outcome _ = run(0, "h" + key, HashOperation.SET, texts(0, ELEMENTS, "f", "value-"));
    Outcome _ = run(1, "s" + key, SetOperation.ADD, texts(0, ELEMENTS, "f"));
    Outcome _ = run(0, "l" + key, ListOperation.PUSH_LAST, texts(0, ELEMENTS, "f"));
    long[] numbers = new long[1 + ELEMENTS];
    Arrays.setAll(numbers, i -> i == 0 ? 0 : Double.doubleToRawLongBits(i));
    Outcome _ = run(1, "z" + key, SortedSetOperation.ADD, texts(0, ELEMENTS, "f").with(numbers));
  }

  private void assertWhole(String key) {
    for (int member = 0; member < 2; member++) {
      assertThat(elements(run(member, "h" + key, HashOperation.ALL, Arguments.NONE)))
          .isEqualTo(2 * ELEMENTS);
      assertThat(elements(run(member, "s" + key, SetOperation.ALL, Arguments.NONE)))
          .isEqualTo(ELEMENTS);
      assertThat(elements(run(member, "l" + key, ListOperation.RANGE, Arguments.NONE.with(0, -1))))
          .isEqualTo(ELEMENTS);
      assertThat(run(member, "z" + key, SortedSetOperation.SIZE, Arguments.NONE))
          .isEqualTo(new Outcome.IntegerResult(ELEMENTS));
    }
  }

  private static int elements(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Elements.class);
    return ((Outcome.Elements) outcome).elements().size();
  }

  /** The value of a key as it is stored. */
  private Data stored(String key) {
    Data of = KeyData.ofKey(utf8(key));
    for (int member = 0; member < 2; member++) {
      NativeRecordStore store = store(member, grid.engine(0).partitions().of(of), false);
      AtomicReference<Data> found = new AtomicReference<>();
      if (store != null) {
        grid.maps(member)
            .exclusively(
                grid.engine(0).partitions().of(of),
                () -> found.set((Data) store.get(of, false, null, false)));
      }
      if (found.get() != null) {
        return new HeapData(found.get().toByteArray());
      }
    }
    throw new AssertionError("nothing is stored under " + key);
  }

  private NativeRecordStore store(int member, int partition, boolean behind) {
    MapService service =
        TestGrid.nodeEngine(grid.member(member)).getService(MapService.SERVICE_NAME);
    String map = TENANT + "/" + name;
    RecordStore<?> store =
        service
            .getMapServiceContext()
            .getExistingRecordStore(partition, behind ? HiddenMaps.pagesOf(map) : map);
    return (NativeRecordStore) store;
  }

  private Map<String, Integer> pages() {
    Map<String, Integer> pages = new TreeMap<>();
    for (int member = 0; member < 2; member++) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        NativeRecordStore store = store(member, partition, true);
        for (long cursor = store == null ? -1 : 0; cursor >= 0; ) {
          cursor =
              store.scan(
                  cursor,
                  page ->
                      pages.merge(
                          Batches.latin(KeyData.bytesOf(PageKeys.collection(page))),
                          1,
                          Integer::sum));
        }
      }
    }
    return pages;
  }

  /** A head with trees, each of a root, a height, a size and bytes. */
  private static Data head(CollectionType type, long... trees) {
    ByteBuffer head = ByteBuffer.allocate(8 + 17 + trees.length / 4 * 25);
    head.putInt(0).putInt(CollectionData.typeId(type)).put((byte) 3).putLong(1).putLong(2);
    for (int i = 0; i < trees.length; i += 4) {
      head.putLong(trees[i]).put((byte) trees[i + 1]).putLong(trees[i + 2]).putLong(trees[i + 3]);
    }
    return new HeapData(head.array());
  }

  /** The head of one type said to be of another. */
  private static Data as(CollectionType type, Data head) {
    byte[] bytes = head.toByteArray().clone();
    ByteBuffer.wrap(bytes).putInt(4, CollectionData.typeId(type));
    return new HeapData(bytes);
  }

  private static long root(Data head, int tree) {
    return ByteBuffer.wrap(head.toByteArray()).getLong(8 + 17 + 25 * tree);
  }

  private List<Data> forged(Data own) {
    long most = Long.MAX_VALUE;
    return List.of(
        own,
        as(CollectionType.SORTED_SET, own),
        as(CollectionType.SET, own),
        head(CollectionType.HASH, 7, 0, 5, 100, 0, 0, 0, 0),
        head(CollectionType.HASH, root(own, 0), 64, 5, 100, root(own, 0), 64, 5, 100),
        head(CollectionType.HASH, root(own, 0), 0, most, most, root(own, 0), 0, most, most),
        head(CollectionType.HASH, root(own, 0), 1, most, most, root(own, 0), 1, most, most),
        head(CollectionType.HASH, root(own, 0), 1, ELEMENTS, 1, 0, 0, 0, 0),
        head(CollectionType.HASH, 0, 0, 0, 0, 0, 0, 0, 0),
        head(CollectionType.HASH, 7, 0, -1, 0, 0, 0, 0, 0),
        head(CollectionType.SORTED_SET, 7, 1, most, most, 9, 1, most, most),
        head(CollectionType.LIST, 7, 3, most, most),
        head(CollectionType.LIST, 7, 200, 10, most),
        head(CollectionType.SET, root(own, 0), 1, ELEMENTS, 100),
        head(CollectionType.SET),
        new HeapData(Arrays.copyOf(head(CollectionType.SET).toByteArray(), 9)),
        new HeapData(Arrays.copyOf(head(CollectionType.SET).toByteArray(), 8)));
  }

  private void use(String key) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int member = 0; member < 2; member++) {
      outcomes.add(run(member, key, HashOperation.ALL, Arguments.NONE));
      outcomes.add(run(member, key, HashOperation.GET, texts(0, 1, "f")));
      outcomes.add(run(member, key, HashOperation.SIZE, Arguments.NONE));
      outcomes.add(run(member, key, HashOperation.SCAN, Arguments.NONE.with(0, 10, 0)));
      outcomes.add(run(member, key, HashOperation.SET, texts(0, 1, "f", "v")));
      outcomes.add(run(member, key, HashOperation.REMOVE, texts(0, 1, "f")));
      outcomes.add(run(member, key, ListOperation.RANGE, Arguments.NONE.with(0, -1)));
      outcomes.add(run(member, key, ListOperation.RANGE, Arguments.NONE.with(-5, -1)));
      outcomes.add(run(member, key, ListOperation.PUSH_LAST, texts(0, 1, "f")));
      outcomes.add(run(member, key, ListOperation.POP_FIRST, Arguments.NONE.with(1)));
      outcomes.add(run(member, key, SetOperation.ALL, Arguments.NONE));
      outcomes.add(run(member, key, SetOperation.ADD, texts(0, 1, "f")));
      outcomes.add(run(member, key, SortedSetOperation.REMOVE, texts(0, 1, "f")));
      outcomes.add(Batches.run(map(member), new KeyCommand.Probe(utf8(key), true)));
      outcomes.add(Batches.run(map(member), new KeyCommand.Read(utf8(key))));
    }
    assertThat(outcomes)
        .noneMatch(
            outcome ->
                outcome instanceof Outcome.Failure failure
                    && text(failure).contains("internal error"));
  }

  private static String text(Outcome.Failure failure) {
    return failure.toString();
  }

  @Test
  void aForgedHeadCanBeReplacedByACollection() {
    fill("other");
    Map<String, Integer> before = pages();
    int count = 0;
    for (Data head : forged(stored("hother"))) {
      String key = "replaced" + count++;
      raw().set(KeyData.ofKey(utf8(key)), head);
      assertThat(run(count % 2, key, SetOperation.REPLACE, texts(0, ELEMENTS, "f")))
          .as("head %d", count)
          .isEqualTo(new Outcome.IntegerResult(ELEMENTS));
      assertThat(elements(run(0, key, SetOperation.ALL, Arguments.NONE))).isEqualTo(ELEMENTS);
      Outcome _ = Batches.run(map(1), new KeyCommand.Remove(utf8(key), false));
    }
    sweep();
    await().untilAsserted(() -> assertThat(pages()).isEqualTo(before));
    assertWhole("other");
  }

  @Test
  void aForgedHeadHarmsNoOtherKeyAndCanBeRemoved() {
    fill("good");
    Map<String, Integer> before = pages();
    int count = 0;
    for (Data head : forged(stored("hgood"))) {
      String key = "forged" + count++;
      raw().set(KeyData.ofKey(utf8(key)), head);
      use(key);
      KeyMap map = grid.slowMap(count % 2, TENANT, name);
      Object _ = outcome(() -> Batches.await(map.copy(utf8(key), map, utf8("copy"), true)));
      Object _ = outcome(() -> Batches.await(map.rename(utf8(key), utf8("renamed"), false)));
      for (String each : List.of(key, "copy", "renamed")) {
        Outcome _ =
            Batches.run(
                map(0),
                count % 2 == 0
                    ? KeyCommand.Write.of(utf8(each), utf8("text"))
                    : new KeyCommand.Remove(utf8(each), false));
        Outcome _ = Batches.run(map(0), new KeyCommand.Remove(utf8(each), false));
      }
    }
    sweep();
    await().untilAsserted(() -> assertThat(pages()).isEqualTo(before));
    assertWhole("good");
    assertThat(Batches.await(map(0).size())).isEqualTo(4);
  }

  /** Returns the answer of a task, or its failure. */
  private static Object outcome(Callable<Object> task) {
    try {
      return task.call();
    } catch (Exception e) {
      return e;
    }
  }

  @Test
  void forgedHeadsOfTheSameKeyAreRemovedWithAllItsPages() {
    fill("kept");
    Map<String, Integer> before = pages();
    fill("own");
    Data old = stored("hown");
    Outcome _ = run(0, "hown", HashOperation.SET, texts(0, 100, "f", "other-"));
    for (Data head : forged(old)) {
      raw().set(KeyData.ofKey(utf8("hown")), head);
      use("hown");
    }
    sweep();
    use("hown");
    for (String type : List.of("h", "s", "l", "z")) {
      Outcome _ = Batches.run(map(1), new KeyCommand.Remove(utf8(type + "own"), false));
    }
    sweep();
    await().untilAsserted(() -> assertThat(pages()).isEqualTo(before));
    assertWhole("kept");
  }

  @Test
  void hazelcastWritesAndRemovalsOfLargeCollectionsFreeTheirPages() {
    fill("a");
    fill("b");
    IMap<Object, Object> map = raw();
    map.set("ha", "text");
    map.delete("sa");
    assertThat(map.evict("la")).isTrue();
    assertThat(map.setTtl("za", 1, TimeUnit.SECONDS)).isTrue();
    map.lock("hb");
    map.clear();
    await()
        .untilAsserted(
            () ->
                assertThat(run(0, "sb", SetOperation.SIZE, Arguments.NONE))
                    .isEqualTo(Outcome.of(0)));
    sweep();
    assertThat(run(1, "hb", HashOperation.SIZE, Arguments.NONE))
        .isEqualTo(new Outcome.IntegerResult(ELEMENTS));
    assertThat(elements(run(0, "hb", HashOperation.ALL, Arguments.NONE))).isEqualTo(2 * ELEMENTS);
    map.unlock("hb");
    await().untilAsserted(() -> assertThat(pages()).containsOnlyKeys("hb"));
    assertThat(elements(run(0, "hb", HashOperation.ALL, Arguments.NONE))).isEqualTo(2 * ELEMENTS);
    Outcome _ = run(0, "hb", HashOperation.SET, texts(0, 1, "f", "v"));
    map.evictAll();
    await().untilAsserted(() -> assertThat(pages()).isEmpty());
  }

  @Test
  void anIndexOfTheMapDoesNotStopLargeCollections() {
    raw().addIndex(IndexType.HASH, "city");
    fill("indexed");
    assertWhole("indexed");
    Outcome _ = run(0, "hindexed", HashOperation.SET, texts(0, 1, "f", "v"));
    assertWhole("indexed");
  }

  private static void sweep() {
    for (int member = 0; member < 2; member++) {
      grid.engine(member).sweeper().sweepAll();
    }
  }
}
