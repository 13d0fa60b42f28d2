package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.run;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryUpdatedListener;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyCommand.Append;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The Java heap that a batch of small commands on a long value takes. */
final class RememberedValuesTest {
  private static final int LONG = 1 << 20;
  private static final int COMMANDS = 48;
  private static final long MOST_REMEMBERED = (16 << 20) + 2 * (LONG + 1024);

  private static TestGrid grid;

  @BeforeAll
  static void start() {
    grid = new TestGrid(1, 11);
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  @Test
  void noValueIsRememberedWhereNobodyListens() {
    KeyMap map = grid.map(0, "acme", "unheard");
    run(map, Write.of(utf8("k"), new byte[LONG]));
    KeyWriteBatch batch = appends("acme/unheard");
    assertThat(answer(batch).outcomes()).hasSize(COMMANDS);
    assertThat(batch.rememberedBytes()).isZero();
    assertThat(length(map)).isEqualTo(LONG + COMMANDS);
  }

  @Test
  void theRunEndsWhenManyBytesAreRemembered() {
    KeyMap map = grid.map(0, "acme", "heard");
    run(map, Write.of(utf8("k"), new byte[LONG]));
    IMap<String, byte[]> theirs = grid.member(0).getMap("acme/heard");
    theirs.addEntryListener((EntryUpdatedListener<String, byte[]>) _ -> {}, true);
    KeyWriteBatch batch = appends("acme/heard");
    assertThat(answer(batch).outcomes()).isNotEmpty().hasSizeLessThan(COMMANDS);
    assertThat(batch.rememberedBytes()).isPositive().isLessThan(MOST_REMEMBERED);
  }

  @Test
  void listenersHearOfEachChangeOfSeveralRuns() {
    KeyMap map = grid.slowMap(0, "acme", "all-heard");
    run(map, Write.of(utf8("k"), new byte[LONG]));
    IMap<String, byte[]> theirs = grid.member(0).getMap("acme/all-heard");
    Queue<Integer> before = new ConcurrentLinkedQueue<>();
    Queue<Integer> after = new ConcurrentLinkedQueue<>();
    theirs.addEntryListener(
        (EntryUpdatedListener<String, byte[]>)
            event -> {
              before.add(event.getOldValue().length);
              after.add(event.getValue().length);
            },
        true);
    run(map, commands());
    await().until(() -> after.size() == COMMANDS);
    List<Integer> lengths = new ArrayList<>();
    for (int i = 0; i <= COMMANDS; i++) {
      lengths.add(LONG + i);
    }
    assertThat(before).containsExactlyElementsOf(lengths.subList(0, COMMANDS));
    assertThat(after).containsExactlyElementsOf(lengths.subList(1, COMMANDS + 1));
  }

  private static List<KeyCommand> commands() {
    return Collections.nCopies(COMMANDS, new Append(utf8("k"), utf8("x"), 2 * LONG));
  }

  private static KeyWriteBatch appends(String map) {
    Data key = KeyData.ofKey(utf8("k"));
    return new KeyWriteBatch(
        map, 1, commands(), Collections.nCopies(COMMANDS, key), KeyLocks.NO_THREAD, false);
  }

  private static BatchAnswer answer(KeyWriteBatch batch) {
    Partitions partitions = grid.engine(0).partitions();
    CompletableFuture<BatchAnswer> answer =
        partitions.ask(batch, partitions.of(KeyData.ofKey(utf8("k"))));
    return answer.join();
  }

  private static int length(KeyMap map) {
    Outcome outcome = run(map, new KeyCommand.Probe(utf8("k"), false));
    return ((Outcome.Info) outcome).length();
  }
}
