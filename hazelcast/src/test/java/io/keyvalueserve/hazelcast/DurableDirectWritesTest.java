package io.keyvalueserve.hazelcast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.StagedValue;
import io.keyvalueserve.engine.Uncertain;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.settings.KeepingChange;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a write that is answered only when it is certain is done at once by who waits for that, and
 * by nobody else.
 */
final class DurableDirectWritesTest {
  private static final TenantName TENANT = new TenantName("acme");
  private static final MapName ORDERS = new MapName("orders");
  private static final byte[] BYTES = "key-value".getBytes(UTF_8);
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final int KEY_LENGTH = 3;
  private static final int VALUE_OFFSET = 4;
  private static final int WRITES = 500;

  @TempDir private Path directory;

  private static boolean write(DirectMap map) {
    return map.write(BYTES, 0, KEY_LENGTH, VALUE_OFFSET, BYTES.length - VALUE_OFFSET, Expiry.NONE);
  }

  /** Anything may be declined now and then, as when the partition is busy. */
  private static void writeAtOnce(DirectMap map) {
    soon().until(() -> write(map));
  }

  private static Outcome executeAtOnce(DirectMap map, KeyCommand command) {
    return soon().until(() -> map.execute(command), Objects::nonNull);
  }

  private static ConditionFactory soon() {
    return await().pollInSameThread().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
  }

  private static KeyMap map(DoorMember member) {
    return member.member.engine().space(new Identity(TENANT, 1, "key")).map(ORDERS);
  }

  private static Outcome theLongWay(KeyMap map, KeyCommand command) throws Exception {
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    map.submit(List.of(command), (index, outcome) -> answer.complete(outcome));
    return answer.get(30, TimeUnit.SECONDS);
  }

  private static final class Told implements Uncertain.Waiter {
    private final AtomicInteger certain = new AtomicInteger();

    @Override
    public void certain() {
      certain.incrementAndGet();
    }

    @Override
    public void failed(Outcome.Failure failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void whoWaitsWritesAtOnce() throws Exception {
    Told told = new Told();
    try (DoorMember member = new DoorMember(Restarts.in(directory, Durability.ALWAYS))) {
      KeyMap map = map(member);
      var _ = theLongWay(map, KeyCommand.Write.of(KEY, KEY));
      Uncertain uncertain = member.member.engine().uncertain();
      DirectMap direct = map.direct(uncertain);
      for (int i = 1; i <= WRITES; i++) {
        writeAtOnce(direct);
        assertThat(uncertain.additions()).isEqualTo(i);
        uncertain.await(told);
      }
      await().until(() -> told.certain.get() == WRITES);
      assertThat(executeAtOnce(direct, new KeyCommand.Read(KEY))).isInstanceOf(Outcome.Entry.class);
      assertThat(uncertain.additions()).isEqualTo(WRITES);
      assertThat(executeAtOnce(direct, new KeyCommand.Remove(KEY, false))).isNotNull();
      assertThat(uncertain.additions()).isEqualTo(WRITES + 1);
      assertThat(executeAtOnce(direct, new KeyCommand.Remove(KEY, false)))
          .isNotNull(); // changes nothing
      assertThat(uncertain.additions()).isEqualTo(WRITES + 1);
      writeAtOnce(direct);
    }
    try (DoorMember member = new DoorMember(Restarts.in(directory, Durability.ALWAYS))) {
      assertThat(theLongWay(map(member), new KeyCommand.Read(KEY)))
          .isInstanceOfSatisfying(
              Outcome.Entry.class,
              entry -> assertThat(entry.value()).asString(UTF_8).isEqualTo("value"));
    }
  }

  /** The log has it in a file before it is written: nobody waits for that on a thread of many. */
  @ParameterizedTest
  @EnumSource(names = {"EVERYSEC", "ALWAYS"})
  void aLargeValueIsInTheLogBeforeItIsWritten(Durability durability) throws Exception {
    byte[] bytes = new byte[5 << 20];
    new Random(1).nextBytes(bytes);
    long at = System.currentTimeMillis() + 1_000_000;
    try (DoorMember member = new DoorMember(Restarts.in(directory, durability))) {
      KeyMap map = map(member);
      var _ = theLongWay(map, KeyCommand.Write.of(KEY, KEY));
      DirectMap direct = map.direct(member.member.engine().uncertain());
      StagedValue value =
          soon().until(() -> direct.stage(KEY, bytes.length, true), Objects::nonNull);
      value.room().put(bytes);
      assertThat(direct.write(KEY, value, at)).isFalse();
      StagedValue prepared = prepared(direct, value, at);
      assertThat(direct.prepare(KEY, prepared, at)).isNull(); // once is enough
      assertThat(theLongWay(map, new KeyCommand.Read(KEY)))
          .isInstanceOfSatisfying(
              Outcome.Entry.class, entry -> assertThat(entry.value()).isEqualTo(KEY));
      soon().until(() -> direct.write(KEY, prepared, at));
      requireEntry(map, bytes, at);
      StagedValue given =
          soon().until(() -> direct.stage(KEY, bytes.length, false), Objects::nonNull);
      given.room().put(new byte[bytes.length]);
      prepared(direct, given, Expiry.NONE).discard(); // and its file with it
      requireEntry(map, bytes, at);
      await().until(() -> files().size() == 1);
    }
    try (DoorMember member = new DoorMember(Restarts.in(directory, durability))) {
      requireEntry(map(member), bytes, at);
    }
  }

  private static StagedValue prepared(DirectMap map, StagedValue value, long at) throws Exception {
    return soon()
        .until(() -> map.prepare(KEY, value, at), Objects::nonNull)
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
  }

  /** Those that the log has for values. */
  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(path -> path.toString().contains("/blobs/")).toList();
    }
  }

  private static void requireEntry(KeyMap map, byte[] bytes, long at) throws Exception {
    assertThat(theLongWay(map, new KeyCommand.Read(KEY)))
        .isInstanceOfSatisfying(
            Outcome.Entry.class,
            entry -> {
              assertThat(entry.value()).isEqualTo(bytes);
              assertThat(entry.expireAtMillis()).isEqualTo(at);
            });
  }

  @Test
  void whoDoesNotWaitIsToGoTheLongWay() throws Exception {
    try (DoorMember member = new DoorMember(Restarts.in(directory, Durability.EVERYSEC))) {
      KeyMap map = map(member);
      var _ = theLongWay(map, KeyCommand.Write.of(KEY, KEY));
      Uncertain uncertain = member.member.engine().uncertain();
      writeAtOnce(map.direct());
      writeAtOnce(map.direct(uncertain));
      assertThat(uncertain.additions()).isZero();
      GridMapSettings settings = member.member.mapSettings();
      var _ =
          settings.keep(
              new QualifiedName(TENANT, ORDERS),
              KeepingChange.NOTHING.durability(Durability.ALWAYS),
              Duration.ofSeconds(30));
      for (int i = 0; i < WRITES; i++) {
        assertThat(write(map.direct())).isFalse();
        assertThat(map.direct().execute(new KeyCommand.Remove(KEY, false))).isNull();
      }
      writeAtOnce(map.direct(uncertain));
      assertThat(uncertain.additions()).isEqualTo(1);
    }
  }
}
