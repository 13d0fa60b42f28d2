package io.keyvalueserve.maps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryUpdatedListener;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.grid.space.TestGrid;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.journal.spill.SpillConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is asked for while its value is on the disk: nobody else waits for the disk. Each test has a
 * map of its own, on a member that they share as long as it is up.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ColdValueTest {
  private static final long AREA_BYTES = 64L << 20;
  private static final long PATIENCE_SECONDS = 20;
  private static final String TENANT = "acme";
  private static final String COLD = "cold";
  private static final String WARM = "warm";
  private static final String OLD = "the value that is on the disk";

  private final HeldDisk disk = new HeldDisk();

  private final List<HazelcastInstance> clients = new ArrayList<>();
  private TestGrid grid = start();
  private int tests;
  private String name = "";
  private IMap<String, String> map;

  /** One partition: all keys are in it. */
  private TestGrid start() {
    return new TestGrid(1, 1, HdGrid::common, maps -> maps.spillTo(open(disk)));
  }

  @BeforeEach
  void begin() {
    if (!readers().isOpen()) { // the member has gone down
      close();
      grid = start();
    }
    name = "m" + tests++;
    map = grid.member(0).getMap(TENANT + "/" + name);
  }

  @AfterEach
  void release() {
    disk.release();
    if (readers().isOpen()) {
      map.destroy();
    }
  }

  @AfterAll
  void close() {
    clients.forEach(HazelcastInstance::shutdown);
    clients.clear();
    grid.close();
  }

  private static SpillArea open(HeldDisk disk) {
    try {
      return SpillArea.open(disk, "values", SpillConfig.of(AREA_BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Who asks. */
  enum Caller {
    MEMBER,
    CLIENT
  }

  /** What needs the value of an entry. */
  enum Asking {
    GET(map -> map.getAsync(COLD), OLD),
    PUT(map -> map.putAsync(COLD, "new"), OLD),
    REMOVE(map -> map.removeAsync(COLD), OLD),
    SUBMIT(
        map -> map.submitToKey(COLD, (EntryProcessor<String, String, String>) e -> e.getValue()),
        OLD),
    GET_ALL(map -> CompletableFuture.supplyAsync(() -> map.getAll(Set.of(COLD)).get(COLD)), OLD),
    ENTRY_VIEW(map -> CompletableFuture.supplyAsync(() -> map.getEntryView(COLD).getValue()), OLD),
    REPLACE(map -> CompletableFuture.supplyAsync(() -> map.replace(COLD, "new")), OLD);

    private final Function<IMap<String, String>, CompletionStage<?>> begin;
    private final String answer;

    Asking(Function<IMap<String, String>, CompletionStage<?>> begin, String answer) {
      this.begin = begin;
      this.answer = answer;
    }
  }

  @ParameterizedTest
  @EnumSource(Asking.class)
  void otherKeysOfThePartitionAreServedWhileAReadHangs(Asking asking) {
    for (Caller caller : Caller.values()) {
      spillOne();
      disk.hold();
      CompletableFuture<?> cold = asking.begin.apply(as(caller)).toCompletableFuture();
      await().until(() -> disk.hanging() == 1);
      assertThat(answer(map.getAsync(WARM))).isEqualTo("w");
      assertThat(answer(map.setAsync(WARM, "w2"))).isNull();
      assertThat(answer(client().getMap(map.getName()).getAsync(WARM))).isEqualTo("w2");
      assertThat(text(redis(new KeyCommand.Read(bytes(WARM))))).isEqualTo("w2");
      assertThat(cold).isNotDone();
      disk.release();
      assertThat(answer(cold)).isEqualTo(asking.answer);
      assertThat(readsAtAStretch()).isZero();
    }
  }

  @Test
  void otherKeysOfThePartitionAreServedWhileAReadOfARedisClientHangs() {
    spillOne();
    disk.hold();
    CompletableFuture<Outcome> cold = redis(new KeyCommand.Read(bytes(COLD)));
    await().until(() -> disk.hanging() == 1);
    assertThat(text(redis(new KeyCommand.Read(bytes(WARM))))).isEqualTo("w");
    assertThat(text(redis(new KeyCommand.Append(bytes(WARM), bytes("!"), 100)))).isEqualTo("2");
    assertThat(text(redis(new KeyCommand.Read(bytes(WARM))))).isEqualTo("w!");
    assertThat(cold).isNotDone();
    disk.release();
    assertThat(text(cold)).isEqualTo(OLD);
    assertThat(text(redis(new KeyCommand.Append(bytes(COLD), bytes("!"), 100))))
        .isEqualTo(Integer.toString(OLD.length() + 1));
    assertThat(readsAtAStretch()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Caller.class)
  void operationsOnAKeyRunInTheOrderInWhichTheyCame(Caller caller) {
    IMap<String, String> mine = as(caller);
    spillOne();
    disk.hold();
    CompletableFuture<String> read = mine.getAsync(COLD).toCompletableFuture();
    await().until(() -> disk.hanging() == 1);
    CompletableFuture<Void> set = mine.setAsync(COLD, "new").toCompletableFuture();
    CompletableFuture<String> replaced = mine.putAsync(COLD, "newer").toCompletableFuture();
    CompletableFuture<String> removed = mine.removeAsync(COLD).toCompletableFuture();
    CompletableFuture<String> gone = mine.getAsync(COLD).toCompletableFuture();
    assertThat(answer(mine.getAsync(WARM))).isEqualTo("w");
    disk.release();
    assertThat(answer(read)).isEqualTo(OLD);
    assertThat(answer(set)).isNull();
    assertThat(answer(replaced)).isEqualTo("new");
    assertThat(answer(removed)).isEqualTo("newer");
    assertThat(answer(gone)).isNull();
  }

  /** What needs no value of an entry that has one on the disk. */
  enum Blind {
    SET(map -> map.setAsync(COLD, "new")),
    SET_ALL(map -> map.setAllAsync(Map.of(COLD, "new"))),
    DELETE(map -> map.deleteAsync(COLD)),
    CONTAINS(map -> CompletableFuture.supplyAsync(() -> map.containsKey(COLD)));

    private final Function<IMap<String, String>, CompletionStage<?>> begin;

    Blind(Function<IMap<String, String>, CompletionStage<?>> begin) {
      this.begin = begin;
    }
  }

  @ParameterizedTest
  @EnumSource(Blind.class)
  void whatDoesNotLookAtAValueDoesNotReadIt(Blind asking) {
    for (Caller caller : Caller.values()) {
      spillOne();
      int before = disk.reads();
      Object _ = answer(asking.begin.apply(as(caller)));
      assertThat(disk.reads()).isEqualTo(before);
      assertThat(map.get(COLD))
          .isEqualTo(
              switch (asking) {
                case SET, SET_ALL -> "new";
                case DELETE -> null;
                case CONTAINS -> OLD;
              });
    }
  }

  @Test
  void commandsOfRedisClientsThatDoNotLookAtAValueDoNotReadIt() {
    spillOne();
    int before = disk.reads();
    assertThat(text(redis(new KeyCommand.Probe(bytes(COLD), true)))).contains("Info");
    assertThat(answer(redis(new KeyCommand.Probe(bytes(COLD), false))))
        .isEqualTo(new Outcome.Info(OLD.length(), Expiry.NONE));
    assertThat(answer(redis(new KeyCommand.Remove(bytes(COLD), false))))
        .isEqualTo(Outcome.Applied.WITHOUT_PREVIOUS);
    assertThat(answer(redis(new KeyCommand.Read(bytes(COLD))))).isEqualTo(Outcome.Missing.MISSING);
    spillOne();
    // By operations, as those that come from another member.
    assertThat(text(slowly(new KeyCommand.Probe(bytes(COLD), true)))).contains("Info");
    assertThat(answer(slowly(new KeyCommand.Probe(bytes(COLD), false))))
        .isEqualTo(new Outcome.Info(OLD.length(), Expiry.NONE));
    assertThat(answer(slowly(KeyCommand.Write.of(bytes(COLD), bytes("new")))))
        .isEqualTo(Outcome.Applied.WITHOUT_PREVIOUS);
    spillOne();
    assertThat(answer(slowly(new KeyCommand.Remove(bytes(COLD), false))))
        .isEqualTo(Outcome.Applied.WITHOUT_PREVIOUS);
    assertThat(disk.reads()).isEqualTo(before);
  }

  /** Who listens is told the old value. */
  @Test
  void aListenerIsToldTheValueThatWasOnTheDisk() {
    List<String> told = new CopyOnWriteArrayList<>();
    UUID _ =
        map.addEntryListener(
            (EntryUpdatedListener<String, String>) event -> told.add(event.getOldValue()), true);
    spillOne();
    map.set(COLD, "new");
    await().until(() -> told.contains(OLD));
    assertThat(readsAtAStretch()).isZero();
  }

  @Test
  void aMemberThatHasGoneDownReadsNoMore() {
    ValueReaders readers = readers();
    assertThat(readers.isOpen()).isTrue();
    grid.member(0).shutdown();
    assertThat(readers.isOpen()).isFalse();
  }

  @Test
  void aValueThatIsAskedForManyTimesIsReadOnceAndIsInMemoryThen() {
    spillOne();
    int before = disk.reads();
    disk.hold();
    List<CompletableFuture<String>> reads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      reads.add(map.getAsync(COLD).toCompletableFuture());
    }
    await().until(() -> disk.hanging() == 1);
    disk.release();
    reads.forEach(read -> assertThat(answer(read)).isEqualTo(OLD));
    assertThat(disk.reads() - before).isEqualTo(1);
    assertThat(store().entries().spilled().isEmpty()).isTrue();
  }

  @Test
  void theValuesOfABatchAreReadSideBySide() {
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      entries.put("k" + i, OLD + i);
    }
    map.setAll(entries);
    spill();
    disk.hold();
    CompletableFuture<Map<String, String>> all =
        CompletableFuture.supplyAsync(() -> map.getAll(entries.keySet()));
    await().until(() -> disk.hanging() > 4);
    disk.release();
    assertThat(answer(all)).isEqualTo(entries);
    assertThat(readsAtAStretch()).isZero();
  }

  /** More than is read at once for a batch. */
  @Test
  void aBatchOfManyLongValuesIsAnsweredPortionByPortion() {
    List<KeyCommand> commands = new ArrayList<>();
    String value = "x".repeat(1 << 19);
    for (int i = 0; i < 70; i++) {
      map.set("k" + i, value + i);
      commands.add(new KeyCommand.Read(bytes("k" + i)));
    }
    spill();
    List<CompletableFuture<Outcome>> outcomes = redis(commands);
    for (int i = 0; i < commands.size(); i++) {
      assertThat(text(outcomes.get(i))).isEqualTo(value + i);
    }
    assertThat(readsAtAStretch()).isZero();
  }

  @Test
  void aReadThatFailsFailsTheOperationAsItDidWithoutReaders() {
    spillOne();
    disk.fail(true);
    assertThatThrownBy(() -> map.get(COLD)).isInstanceOf(SpillUnreadableException.class);
    assertThat(answer(redis(new KeyCommand.Read(bytes(COLD))))).isInstanceOf(Outcome.Failure.class);
    assertThat(readsAtAStretch()).isZero();
    disk.fail(false);
    assertThat(map.get(COLD)).isEqualTo(OLD);
  }

  @Test
  void whoWaitsForAValueIsToldWhenTheMemberGoesDown() {
    spillOne();
    disk.hold();
    CompletableFuture<String> cold = map.getAsync(COLD).toCompletableFuture();
    await().until(() -> disk.hanging() == 1);
    grid.maps(0).endReading();
    assertThatThrownBy(() -> answer(cold))
        .hasCauseInstanceOf(HazelcastInstanceNotActiveException.class);
    disk.release();
  }

  private void spillOne() {
    map.set(COLD, OLD);
    spill();
    map.set(WARM, "w");
  }

  /** All values of the map leave memory. */
  private void spill() {
    NativeMaps maps = grid.maps(0);
    SpillArea area = Objects.requireNonNull(maps.spillArea());
    ValueSpiller spiller = new ValueSpiller(maps, area, () -> {}, 1);
    await()
        .until(
            () -> {
              Freed _ = spiller.take(List.of(store()), null, Long.MAX_VALUE);
              return store().entries().spilled().count() == map.size();
            });
  }

  private NativeRecordStore store() {
    return Objects.requireNonNull(grid.maps(0).local().store(0, map.getName()));
  }

  private ValueReaders readers() {
    return Objects.requireNonNull(grid.maps(0).spilling().readers());
  }

  private long readsAtAStretch() {
    return readers().readsAtAStretch();
  }

  private IMap<String, String> as(Caller caller) {
    return caller == Caller.MEMBER ? map : client().getMap(map.getName());
  }

  private HazelcastInstance client() {
    if (clients.isEmpty()) {
      ClientConfig config = new ClientConfig();
      config.setClusterName(grid.member(0).getConfig().getClusterName());
      config.setProperty("hazelcast.logging.type", "jdk");
      var address = grid.member(0).getCluster().getLocalMember().getAddress();
      config.getNetworkConfig().addAddress(address.getHost() + ":" + address.getPort());
      clients.add(HazelcastClient.newHazelcastClient(config));
    }
    return clients.get(0);
  }

  private CompletableFuture<Outcome> slowly(KeyCommand command) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    grid.slowMap(0, TENANT, name).submit(List.of(command), (index, each) -> outcome.complete(each));
    return outcome;
  }

  private CompletableFuture<Outcome> redis(KeyCommand command) {
    return redis(List.of(command)).get(0);
  }

  private List<CompletableFuture<Outcome>> redis(List<KeyCommand> commands) {
    KeyMap keys = grid.map(0, TENANT, name);
    List<CompletableFuture<Outcome>> outcomes =
        commands.stream().map(each -> new CompletableFuture<Outcome>()).toList();
    keys.submit(commands, (index, outcome) -> outcomes.get(index).complete(outcome));
    return outcomes;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(CompletableFuture<Outcome> outcome) {
    return switch (answer(outcome)) {
      case Outcome.Entry entry -> new String(entry.value(), UTF_8);
      case Outcome.IntegerResult number -> Long.toString(number.value());
      case Outcome other -> other.toString();
    };
  }

  private static <T> T answer(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("it failed", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("no answer: somebody waits for the disk", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
