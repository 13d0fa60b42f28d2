package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A tenant's limits and the pages of its large collections. */
final class LargeCollectionsQuotaTest {
  private static final int STEP = 50;
  private static final Admissions ADMISSIONS = new Admissions(() -> 0);

  private static TestGrid grid;

  @BeforeAll
  static void start() {
    limit("few", Quota.USUAL.with(Limit.ENTRIES, 3L), 2);
    limit("small", Quota.USUAL.with(Limit.MEMORY, 300_000L), 3);
    grid =
        new TestGrid(
            1, 271, config -> {}, maps -> maps.accounts().countFor(ADMISSIONS::usageOfObject));
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  private static void limit(String tenant, Quota quota, int number) {
    ADMISSIONS.apply(
        new Tenant(
            new TenantName(tenant),
            number,
            TenantState.ACTIVE,
            Instant.EPOCH,
            List.of(),
            quota,
            number));
  }

  private static KeyMap map(String tenant, int number) {
    return grid.door(0)
        .space(new Identity(new TenantName(tenant), number, "key"))
        .map(new MapName("limited"));
  }

  private static Outcome run(
      KeyMap map, String key, CollectionOperation operation, Arguments arguments) {
    return Batches.run(
        map,
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

  @Test
  void pagesAreNoEntriesOfTheTenant() {
    KeyMap map = map("few", 2);
    for (int i = 0; i < 3; i++) {
      assertThat(run(map, "k" + i, HashOperation.SET, texts(0, 3_000, "field-", "value-")))
          .isEqualTo(new Outcome.IntegerResult(3_000));
    }
    assertThat(run(map, "k3", HashOperation.SET, texts(0, 1, "field-", "value-")))
        .isInstanceOf(Outcome.Failure.class);
    assertThat(run(map, "k0", HashOperation.REMOVE, texts(0, 1, "field-")))
        .isEqualTo(new Outcome.IntegerResult(1));
    assertThat(Objects.requireNonNull(ADMISSIONS.usageOfObject("few/limited")).entriesHere())
        .isEqualTo(3);
  }

  @Test
  void whoHasNoMemoryLeftCanRemoveElements() {
    KeyMap map = map("small", 3);
    Outcome _ = run(map, "s", SetOperation.ADD, texts(0, 1_000, "member-"));
    Outcome _ = run(map, "l", ListOperation.PUSH_LAST, texts(0, 1_000, "element-"));
    int fields = 0;
    while (run(map, "h", HashOperation.SET, texts(fields, fields + STEP, "field-", "value-"))
        instanceof Outcome.IntegerResult) {
      fields += STEP;
    }
    assertThat(fields).isGreaterThan(1_000);
    for (int i = 0; i < fields; i += 7) {
      assertThat(run(map, "h", HashOperation.REMOVE, texts(i, i + 1, "field-")))
          .isEqualTo(new Outcome.IntegerResult(1));
      if (i < 1_000) {
        assertThat(run(map, "s", SetOperation.REMOVE, texts(i, i + 1, "member-")))
            .isEqualTo(new Outcome.IntegerResult(1));
        assertThat(run(map, "l", ListOperation.POP_FIRST, Arguments.NONE.with(1)))
            .isInstanceOf(Outcome.Entry.class);
      }
    }
    assertThat(Batches.texts(map, new KeyCommand.Remove(utf8("h"), false)))
        .containsExactly("Applied");
    await()
        .untilAsserted(
            () ->
                assertThat(run(map, "new", HashOperation.SET, texts(0, 1_000, "field-", "value-")))
                    .isInstanceOf(Outcome.IntegerResult.class));
  }
}
