package io.keyvalueserve.grid.space;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.ScriptRoom;
import io.keyvalueserve.engine.ScriptStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Scripts that were loaded at one member of two. */
class GridScriptStoreTest {
  private static final byte[] SOURCE = "return '\u0000\u00ff'".getBytes(ISO_8859_1);

  private static TestGrid grid;
  private static ScriptStore here;
  private static ScriptStore there;

  @BeforeAll
  static void start() {
    grid = new TestGrid(2, 71, GridScriptStore::configure);
    here = new GridScriptStore(grid.member(0));
    there = new GridScriptStore(grid.member(1));
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void scriptIsFoundOnAllMembersByItsTenantOnly() {
    get(here.load(1, "aa", SOURCE));
    get(there.load(1, "aa", SOURCE));
    assertThat(get(there.find(1, "aa"))).hasValueSatisfying(it -> assertThat(it).isEqualTo(SOURCE));
    assertThat(get(there.exist(1, List.of("aa", "bb")))).containsExactly(true, false);
    assertThat(get(there.find(11, "aa"))).isEmpty();
    assertThat(get(there.exist(2, List.of("aa")))).containsExactly(false);
  }

  @Test
  void flushIsOfOneTenantAndTellsAllMembers() {
    List<Integer> told = Collections.synchronizedList(new ArrayList<>());
    there.onFlush(told::add);
    get(here.load(3, "aa", SOURCE));
    get(here.load(4, "aa", SOURCE));
    get(here.flush(3));
    assertThat(get(there.find(3, "aa"))).isEqualTo(Optional.empty());
    assertThat(get(there.exist(3, List.of("aa")))).containsExactly(false);
    assertThat(get(there.find(4, "aa"))).isPresent();
    await().until(() -> told.contains(3));
    assertThat(told).doesNotContain(4);
    get(there.load(3, "aa", SOURCE));
    assertThat(get(here.find(3, "aa"))).isPresent();
  }

  @Test
  void tenantKeepsSoManyScripts() {
    int size = (int) (ScriptRoom.MOST_BYTES / 4);
    for (int i = 0; i < 4; i++) {
      get(here.load(5, "a" + i, new byte[size]));
    }
    assertThatThrownBy(() -> get(there.load(5, "b", new byte[1])))
        .hasMessageContaining("SCRIPT FLUSH");
    get(there.load(5, "a1", new byte[size]));
    get(there.load(6, "b", new byte[1]));
  }

  /** A member that ends while it loads a script leaves it like this. */
  @Test
  void halfLoadedScriptIsLoadedAgainAndFlushed() {
    String source = new String(SOURCE, ISO_8859_1);
    grid.member(0).getMap("__kvs.scripts").set("9/aa", source);
    get(here.load(9, "aa", SOURCE));
    assertThat(get(there.exist(9, List.of("aa")))).containsExactly(true);
    get(there.flush(9));
    assertThat(get(here.find(9, "aa"))).isEmpty();
    assertThat(grid.member(0).getMap("__kvs.scripts").isLocked("9")).isFalse();
  }
}
