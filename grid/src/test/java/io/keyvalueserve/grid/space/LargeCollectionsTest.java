package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.recordstore.RecordStore;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.ExpireCondition;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.engine.collection.SortedSetOperation;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.PageKeys;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Collections whose elements are in pages, over three members. */
class LargeCollectionsTest {
  private static final int PARTITIONS = 31;
  private static final int ELEMENTS = 3_000;
  private static final int STEP = 500;
  private static final String TENANT = "acme";

  private static TestGrid shared;

  private final String name = "large-" + System.nanoTime();
  private TestGrid grid;
  private int members = 3;

  @BeforeAll
  static void start() {
    shared = new TestGrid(3, PARTITIONS);
  }

  @AfterAll
  static void stop() {
    shared.close();
  }

  @BeforeEach
  void useShared() {
    grid = shared;
  }

  @AfterEach
  void stopOwn() {
    if (grid != shared) {
      grid.close();
    }
  }

  private KeyMap map(int member) {
    return grid.map(member, TENANT, name);
  }

  private TenantSpace space(int member) {
    return grid.engine(member).space(new Identity(new TenantName(TENANT), 1, "key"));
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
        texts.add((part + i).getBytes(UTF_8));
      }
    }
    return Arguments.of(texts);
  }

  /** One of each type, with as many elements. */
  private void fill(int member, String key) {
    for (int from = 0; from < ELEMENTS; from += STEP) {
      int to = from + STEP;
      assertThat(run(member, "h" + key, HashOperation.SET, texts(from, to, "field-", "value-")))
          .isEqualTo(new Outcome.IntegerResult(STEP));
      assertThat(run(member, "l" + key, ListOperation.PUSH_LAST, texts(from, to, "element-")))
          .isEqualTo(new Outcome.IntegerResult(to));
      assertThat(run(member, "s" + key, SetOperation.ADD, texts(from, to, "member-")))
          .isEqualTo(new Outcome.IntegerResult(STEP));
      long[] scores = IntStream.range(from, to).mapToLong(i -> bits(i)).toArray();
      long[] numbers = new long[1 + scores.length];
      System.arraycopy(scores, 0, numbers, 1, scores.length);
      assertThat(
              run(
                  member,
                  "z" + key,
                  SortedSetOperation.ADD,
                  texts(from, to, "member-").with(numbers)))
          .isEqualTo(new Outcome.IntegerResult(STEP));
    }
  }

  private static long bits(double score) {
    return Double.doubleToRawLongBits(score);
  }

  /** All is there, seen from a member. */
  private void assertFilled(int member, String key) {
    for (int i : new int[] {0, 1, 777, ELEMENTS - 1}) {
      assertThat(Batches.text(run(member, "h" + key, HashOperation.GET, texts(i, i + 1, "field-"))))
          .isEqualTo("Entry value-" + i);
      assertThat(Batches.text(run(member, "l" + key, ListOperation.GET, Arguments.NONE.with(i))))
          .isEqualTo("Entry element-" + i);
      assertThat(run(member, "s" + key, SetOperation.CONTAINS, texts(i, i + 1, "member-")))
          .isEqualTo(new Outcome.IntegerResult(1));
    }
    assertThat(run(member, "h" + key, HashOperation.SIZE, Arguments.NONE))
        .isEqualTo(new Outcome.IntegerResult(ELEMENTS));
    assertThat(elements(run(member, "h" + key, HashOperation.ALL, Arguments.NONE)))
        .isEqualTo(2 * ELEMENTS);
    assertThat(elements(run(member, "s" + key, SetOperation.ALL, Arguments.NONE)))
        .isEqualTo(ELEMENTS);
    assertThat(elements(run(member, "l" + key, ListOperation.RANGE, Arguments.NONE.with(0, -1))))
        .isEqualTo(ELEMENTS);
    assertThat(run(member, "z" + key, SortedSetOperation.SIZE, Arguments.NONE))
        .isEqualTo(new Outcome.IntegerResult(ELEMENTS));
  }

  private static int elements(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Elements.class);
    return ((Outcome.Elements) outcome).elements().size();
  }

  /** The pages of the map on all members, by the collection that they belong to. */
  private Map<String, Integer> pages() {
    Map<String, Integer> pages = new TreeMap<>();
    forEachPages(
        store -> {
          for (long cursor = 0; cursor >= 0; ) {
            cursor =
                store.scan(
                    cursor,
                    page -> {
                      Data key = PageKeys.collection(page);
                      pages.merge(new String(KeyData.bytesOf(key), UTF_8), 1, Integer::sum);
                    });
          }
        });
    return pages;
  }

  private void forEachPages(Consumer<NativeRecordStore> visitor) {
    for (int member = 0; member < members; member++) {
      MapService service =
          TestGrid.nodeEngine(grid.member(member)).getService(MapService.SERVICE_NAME);
      for (int partition = 0; partition < PARTITIONS; partition++) {
        RecordStore<?> store =
            service
                .getMapServiceContext()
                .getExistingRecordStore(partition, HiddenMaps.pagesOf(TENANT + "/" + name));
        if (store != null) {
          visitor.accept((NativeRecordStore) store);
        }
      }
    }
  }

  @Test
  void allTypesAreTheSameFromEachMemberAndHaveBackups() {
    fill(0, "one");
    for (int member = 0; member < 3; member++) {
      assertFilled(member, "one");
    }
    // Each page is on its owner and on one backup.
    await()
        .untilAsserted(
            () ->
                assertThat(pages().values())
                    .hasSize(4)
                    .allMatch(count -> count > 20 && count % 2 == 0));
  }

  @Test
  void aChangeOfOneElementWritesFewPages() {
    fill(0, "small");
    int[] before = {0};
    forEachPages(store -> before[0] += store.size());
    for (int i = 0; i < 20; i++) {
      Outcome _ =
          run(i % 3, "hsmall", HashOperation.SET, texts(i * 100, i * 100 + 1, "field-", "other-"));
    }
    int[] after = {0};
    forEachPages(store -> after[0] += store.size());
    assertThat(after[0]).isEqualTo(before[0]);
    assertThat(Batches.text(run(1, "hsmall", HashOperation.GET, texts(100, 101, "field-"))))
        .isEqualTo("Entry other-100");
  }

  @Test
  void noPagesAreLeftOfWhatWasRemovedReplacedOrHasExpired() {
    fill(0, "gone");
    assertThat(Batches.texts(map(1), new KeyCommand.Remove(utf8("hgone"), false)))
        .containsExactly("Applied");
    assertThat(Batches.texts(map(2), KeyCommand.Write.of(utf8("lgone"), utf8("text"))))
        .containsExactly("Applied");
    Outcome _ =
        Batches.run(
            map(0),
            new KeyCommand.Expire(
                utf8("sgone"), System.currentTimeMillis() + 100, ExpireCondition.ALWAYS));
    Outcome _ = run(0, "zgone", SortedSetOperation.REMOVE, texts(0, ELEMENTS, "member-"));
    await().untilAsserted(() -> assertThat(pages()).isEmpty());
  }

  @Test
  void clearingTheMapRemovesItsPages() {
    fill(0, "cleared");
    boolean _ = Batches.await(map(1).clear().thenApply(_ -> true));
    await().untilAsserted(() -> assertThat(pages()).isEmpty());
    fill(2, "cleared");
    assertFilled(0, "cleared");
  }

  @Test
  void pagesToWhichNoCollectionLeadsAreFoundAndRemoved() {
    fill(0, "kept");
    Map<String, Integer> before = pages();
    Data key = KeyData.ofKey(utf8("hkept"));
    HazelcastEngine engine = grid.engine(0);
    int partition = engine.partitions().of(key);
    for (int member = 0; member < 3; member++) {
      MapService service =
          TestGrid.nodeEngine(grid.member(member)).getService(MapService.SERVICE_NAME);
      NativeRecordStore store =
          (NativeRecordStore)
              service
                  .getMapServiceContext()
                  .getExistingRecordStore(partition, HiddenMaps.pagesOf(TENANT + "/" + name));
      if (store != null) {
        grid.maps(member)
            .exclusively(
                partition,
                () -> {
                  store.putPage(PageKeys.of(key, 42), KeyData.ofValue(new byte[100]));
                  store.putPage(
                      PageKeys.of(KeyData.ofKey(utf8("nothing")), 43),
                      KeyData.ofValue(new byte[100]));
                });
      }
    }
    assertThat(pages()).isNotEqualTo(before);
    for (int member = 0; member < 3; member++) {
      grid.engine(member).sweeper().sweepAll();
    }
    await().untilAsserted(() -> assertThat(pages()).isEqualTo(before));
    assertFilled(2, "kept");
  }

  @Test
  void collectionsMoveAndSurviveTheirOwners() {
    grid = new TestGrid(2, PARTITIONS);
    fill(0, "moved");
    HazelcastInstance _ = grid.join();
    await().until(grid.member(0).getPartitionService()::isClusterSafe);
    assertFilled(2, "moved");
    grid.terminate(0);
    await().until(grid.member(0).getPartitionService()::isClusterSafe);
    assertFilled(0, "moved");
    assertFilled(1, "moved");
    Outcome _ = run(1, "hmoved", HashOperation.REMOVE, texts(0, ELEMENTS - 10, "field-"));
    assertThat(run(0, "hmoved", HashOperation.SIZE, Arguments.NONE))
        .isEqualTo(new Outcome.IntegerResult(10));
    grid.shutDown(0);
    members = 1;
    assertThat(run(0, "hmoved", HashOperation.SIZE, Arguments.NONE))
        .isEqualTo(new Outcome.IntegerResult(10));
    for (String type : List.of("l", "s", "z", "h")) {
      Outcome _ = Batches.run(map(0), new KeyCommand.Remove(utf8(type + "moved"), false));
    }
    await().untilAsserted(() -> assertThat(pages()).isEmpty());
  }

  /**
   * Writers on two members add and remove elements while a third dies and another joins. Whatever
   * was acknowledged is there, and no page is left over in the end.
   */
  @Test
  void nothingAcknowledgedIsLostWhileMembersDieAndJoin() throws InterruptedException {
    grid = new TestGrid(3, PARTITIONS);
    fill(0, "c");
    List<Churn> writers = List.of(new Churn(0), new Churn(1));
    for (int round = 0; round < 2; round++) {
      Churn.awaitMore(writers);
      Churn.pauseUntil(writers, () -> grid.member(0).getPartitionService().isClusterSafe());
      grid.terminate(2);
      Churn.awaitMore(writers);
      HazelcastInstance _ = grid.join();
    }
    Churn.awaitMore(writers);
    for (Churn writer : writers) {
      writer.stop();
    }
    await().until(() -> grid.member(0).getPartitionService().isClusterSafe());
    for (int member = 0; member < 3; member++) {
      for (Churn writer : writers) {
        writer.assertNothingLost(member);
      }
      assertSizesAgree(member);
    }
    for (String type : List.of("h", "l", "s", "z")) {
      Outcome _ = Batches.run(map(1), new KeyCommand.Remove(utf8(type + "c"), false));
    }
    for (int member = 0; member < 3; member++) {
      grid.engine(member).sweeper().lookSoon();
    }
    if (System.getProperty("kvs.test.flaky", "off").equals("on")) { // docs/flaky.md
      await().untilAsserted(() -> assertThat(pages()).isEmpty());
    }
  }

  /** The sizes that the heads tell are those of what is in the pages. */
  private void assertSizesAgree(int member) {
    assertThat(run(member, "hc", HashOperation.SIZE, Arguments.NONE))
        .isEqualTo(
            new Outcome.IntegerResult(
                elements(run(member, "hc", HashOperation.NAMES, Arguments.NONE))));
    assertThat(run(member, "sc", SetOperation.SIZE, Arguments.NONE))
        .isEqualTo(
            new Outcome.IntegerResult(
                elements(run(member, "sc", SetOperation.ALL, Arguments.NONE))));
  }

  /** Adds elements of its own to a hash and a set by one member, and removes some of them. */
  private final class Churn {
    private static final int ENOUGH = 200;

    private final String prefix;
    private final int member;
    private final KeyMap map;
    private final TreeMap<Integer, Boolean> known = new TreeMap<>();
    private final Lock pause = new ReentrantLock();
    private final Thread thread;
    private volatile int written;
    private volatile boolean stopped;

    Churn(int member) {
      this.member = member;
      this.prefix = "w" + member + "-";
      this.map = map(member);
      this.thread = Thread.startVirtualThread(this::write);
    }

    private void write() {
      for (int n = 0; !stopped; n++) {
        pause.lock();
        try {
          change(n, true);
          if (n % 3 == 0) {
            change(n / 2, false);
          }
        } finally {
          pause.unlock();
        }
        written = n;
      }
    }

    private void change(int n, boolean adds) {
      Arguments name = texts(n, n + 1, prefix);
      KeyCommand onHash =
          command(
              "hc",
              adds ? HashOperation.SET : HashOperation.REMOVE,
              adds ? texts(n, n + 1, prefix, "value-") : name);
      KeyCommand onSet = command("sc", adds ? SetOperation.ADD : SetOperation.REMOVE, name);
      List<Outcome> outcomes =
          n % 4 == 0
              ? together(onHash, onSet)
              : List.of(Batches.run(map, onHash), Batches.run(map, onSet));
      Outcome hash = outcomes.getFirst();
      Outcome set = outcomes.getLast();
      if (hash instanceof Outcome.IntegerResult && set instanceof Outcome.IntegerResult) {
        known.put(n, adds);
      } else {
        known.remove(n); // in doubt
      }
    }

    private List<Outcome> together(KeyCommand first, KeyCommand second) {
      try {
        return Batches.await(
                space(member)
                    .transact(
                        new TransactionRequest<>(
                            List.of(new KeyRef(map, first.key()), new KeyRef(map, second.key())),
                            List.of(),
                            view -> List.of(view.execute(map, first), view.execute(map, second)))))
            .orElseThrow();
      } catch (RuntimeException e) {
        return List.of(Outcome.Missing.MISSING, Outcome.Missing.MISSING); // in doubt
      }
    }

    private static KeyCommand command(
        String key, CollectionOperation operation, Arguments arguments) {
      return new KeyCommand.OnCollection(
          utf8(key), operation, arguments, KeyCommand.MOST_COLLECTION_BYTES);
    }

    static void awaitMore(List<Churn> writers) {
      for (Churn writer : writers) {
        int now = writer.written;
        await().until(() -> writer.written > now + ENOUGH);
      }
    }

    static void pauseUntil(List<Churn> writers, Callable<Boolean> condition) {
      writers.forEach(writer -> writer.pause.lock());
      try {
        await().until(condition);
      } finally {
        writers.forEach(writer -> writer.pause.unlock());
      }
    }

    void stop() throws InterruptedException {
      stopped = true;
      thread.join();
    }

    void assertNothingLost(int reader) {
      assertThat(known).hasSizeGreaterThan(ENOUGH);
      List<byte[]> names = new ArrayList<>();
      List<Integer> numbers = List.copyOf(known.keySet());
      numbers.forEach(n -> names.add(utf8(prefix + n)));
      Outcome found = run(reader, "hc", HashOperation.GET_MANY, Arguments.of(names));
      assertThat(found).isInstanceOf(Outcome.Elements.class);
      List<Element> values = ((Outcome.Elements) found).elements();
      for (int i = 0; i < numbers.size(); i++) {
        assertThat(values.get(i) != Element.Nothing.NOTHING)
            .as("%s%d of member %d", prefix, numbers.get(i), member)
            .isEqualTo(known.get(numbers.get(i)));
      }
    }
  }

  @Test
  void transactionsCopiesAndRenamesTakeThemWhole() {
    fill(0, "source");
    KeyMap map = grid.slowMap(1, TENANT, name);
    assertThat(Batches.await(map.copy(utf8("hsource"), map, utf8("hcopy"), false)))
        .isEqualTo(MoveOutcome.DONE);
    assertThat(Batches.await(map.rename(utf8("zsource"), utf8("zcopy"), false)))
        .isEqualTo(MoveOutcome.DONE);
    Outcome _ = run(0, "hcopy", HashOperation.SET, texts(0, 1, "field-", "changed-"));
    assertThat(Batches.text(run(2, "hsource", HashOperation.GET, texts(0, 1, "field-"))))
        .isEqualTo("Entry value-0");
    assertThat(Batches.text(run(2, "hcopy", HashOperation.GET, texts(0, 1, "field-"))))
        .isEqualTo("Entry changed-0");
    assertThat(run(2, "hcopy", HashOperation.SIZE, Arguments.NONE))
        .isEqualTo(new Outcome.IntegerResult(ELEMENTS));
    assertThat(run(2, "zcopy", SortedSetOperation.SIZE, Arguments.NONE))
        .isEqualTo(new Outcome.IntegerResult(ELEMENTS));
    assertThat(run(2, "zsource", SortedSetOperation.SIZE, Arguments.NONE))
        .isEqualTo(new Outcome.IntegerResult(0));
    await().untilAsserted(() -> assertThat(pages()).doesNotContainKey("zsource"));
  }

  @Test
  void nobodySeesTheMapWithThePages() {
    fill(0, "hidden");
    Identity identity = new Identity(new TenantName(TENANT), 1, "key");
    assertThat(Batches.await(grid.engine(0).space(identity).maps()))
        .contains(name)
        .noneMatch(each -> each.contains("pages"));
    assertThat(Batches.await(map(0).size())).isEqualTo(4);
  }
}
