package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.await;
import static io.keyvalueserve.engine.Batches.run;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.ExpireCondition;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.engine.TurnedClock;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random commands, carried out by the Hazelcast engine and by the reference engine: outcomes and
 * what is left in the end must be the same. The seed is the test's parameter.
 *
 * <p>Times of expiry are long past, far away, or "soon": soon ones are set by the last batch of a
 * round, and the next round begins when they have passed, so that the engines' clocks need not
 * agree to the millisecond.
 */
final class ModelTest {
  private static final long DAY_MILLIS = 86_400_000;
  private static final int KEYS = 30;

  private static TestGrid grid;

  @BeforeAll
  static void start() {
    grid = new TestGrid(2, 31);
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void agreesWithTheReferenceEngine(long seed) {
    Random random = new Random(seed);
    TurnedClock clock = new TurnedClock(System.currentTimeMillis());
    KeyMap model =
        new MapEngine(clock)
            .space(new Identity(new TenantName("acme"), 1, "key"))
            .map(new MapName("model-" + seed));
    KeyMap map = grid.map(0, "acme", "model-" + seed);
    for (int round = 0; round < 5; round++) {
      for (int batch = 0; batch < 20; batch++) {
        List<KeyCommand> commands = new ArrayList<>();
        for (int i = random.nextInt(60); i > 0; i--) {
          commands.add(command(random, clock.millis()));
        }
        agree(model, map, commands);
        move(random, model, map);
      }
      long soon = System.currentTimeMillis() + 50;
      agree(model, map, expireSome(random, soon));
      Awaitility.await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> System.currentTimeMillis() > soon);
      clock.turnTo(System.currentTimeMillis());
    }
    List<KeyCommand> reads = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      reads.add(new KeyCommand.Read(key(i)));
    }
    agree(model, map, reads);
  }

  private static void agree(KeyMap model, KeyMap map, List<KeyCommand> commands) {
    List<String> expected = run(model, commands).stream().map(Batches::text).toList();
    List<String> actual = run(map, commands).stream().map(Batches::text).toList();
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i)).as("%s", commands.get(i)).isEqualTo(expected.get(i));
    }
  }

  private static void move(Random random, KeyMap model, KeyMap map) {
    byte[] from = key(random.nextInt(KEYS));
    byte[] to = key(random.nextInt(KEYS));
    boolean flag = random.nextBoolean();
    switch (random.nextInt(3)) {
      case 0 ->
          assertThat(await(map.rename(from, to, flag)))
              .isEqualTo(await(model.rename(from, to, flag)));
      case 1 ->
          assertThat(await(map.copy(from, map, to, flag)))
              .isEqualTo(await(model.copy(from, model, to, flag)));
      default -> {
        List<KeyCommand.Write> writes =
            List.of(KeyCommand.Write.of(from, utf8("1")), KeyCommand.Write.of(to, utf8("2")));
        assertThat(await(map.insertAll(writes))).isEqualTo(await(model.insertAll(writes)));
      }
    }
  }

  private static List<KeyCommand> expireSome(Random random, long soon) {
    List<KeyCommand> commands = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      byte[] key = key(random.nextInt(KEYS));
      commands.add(new KeyCommand.Expire(key, soon, ExpireCondition.ALWAYS));
    }
    return commands;
  }

  private static KeyCommand command(Random random, long nowMillis) {
    byte[] key = key(random.nextInt(KEYS));
    byte[] value = utf8(Integer.toString(random.nextInt(2_000) - 1_000));
    boolean flag = random.nextBoolean();
    return switch (random.nextInt(12)) {
      case 0, 1 -> new KeyCommand.Read(key);
      case 2 -> new KeyCommand.Probe(key, flag);
      case 3, 4 ->
          new KeyCommand.Write(key, value, expiry(random, nowMillis), condition(random), flag);
      case 5 -> new KeyCommand.Remove(key, flag);
      case 6 -> {
        long at = Math.max(Expiry.NONE, expiry(random, nowMillis));
        ExpireCondition[] all = ExpireCondition.values();
        yield new KeyCommand.Expire(key, at, all[random.nextInt(all.length)]);
      }
      case 7 -> new KeyCommand.ReadAndExpire(key, expiry(random, nowMillis));
      case 8 -> new KeyCommand.Increment(key, random.nextLong());
      case 9 -> new KeyCommand.IncrementDecimal(key, random.nextInt(100) + ".25");
      case 10 -> new KeyCommand.Append(key, value, 100);
      default -> new KeyCommand.Overwrite(key, random.nextInt(10), value, 100);
    };
  }

  private static WriteCondition condition(Random random) {
    WriteCondition[] all = WriteCondition.values();
    return all[random.nextInt(all.length)];
  }

  private static long expiry(Random random, long nowMillis) {
    return switch (random.nextInt(6)) {
      case 0 -> nowMillis - random.nextInt(1_000);
      case 1 -> Expiry.KEEP;
      case 2, 3 -> nowMillis + DAY_MILLIS + random.nextInt(10_000);
      default -> Expiry.NONE;
    };
  }

  private static byte[] key(int number) {
    return utf8("key-" + number);
  }
}
