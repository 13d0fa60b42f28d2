package io.keyvalueserve.engine.collection;

import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.Current;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The effects of operations on the entries of collections. */
final class CollectionOperationTest {
  private static final long NOW = 1_000_000;
  private static final int MOST_BYTES = 4 << 20;

  /** An entry with a collection. */
  private record Entry(CollectionValue value, long expireAtMillis) implements Current {
    @Override
    public boolean exists() {
      return true;
    }

    @Override
    public byte @Nullable [] bytes() {
      return null;
    }

    @Override
    public CollectionValue collection() {
      return value;
    }

    @Override
    public int length() {
      return -1;
    }

    @Override
    public long idleMillis() {
      return 0;
    }

    @Override
    public long storedBytes() {
      return value.length();
    }
  }

  private static Transition run(CollectionOperation operation, Current entry, Arguments arguments) {
    return operation.apply(entry, arguments, MOST_BYTES, NOW);
  }

  private static Entry hash(long fieldExpiry, long keyExpiry) {
    PackedHash hash = new PackedHash(null, NOW - 10);
    boolean _ = hash.put(Bytes.of(utf8("f")), Bytes.of(utf8("v")), fieldExpiry);
    return new Entry(hash.pack(), keyExpiry);
  }

  @Test
  void hashWhoseFieldsHaveAllExpiredBeginsWithoutTheOldExpiry() {
    Arguments field = Arguments.of(utf8("g"), utf8("w"));
    assertThat(run(HashOperation.SET, hash(NOW - 1, NOW + 500), field).expireAtMillis())
        .isEqualTo(Expiry.NONE);
    assertThat(run(HashOperation.SET, hash(NOW + 1, NOW + 500), field).expireAtMillis())
        .isEqualTo(NOW + 500);
  }

  @Test
  void replacedCollectionLosesItsExpiry() {
    PackedSet set = new PackedSet(null);
    boolean _ = set.add(Bytes.of(utf8("a")));
    Entry entry = new Entry(set.pack(), NOW + 500);
    assertThat(run(SetOperation.REPLACE, entry, Arguments.of(utf8("b"))).expireAtMillis())
        .isEqualTo(Expiry.NONE);
    assertThat(run(SetOperation.ADD, entry, Arguments.of(utf8("b"))).expireAtMillis())
        .isEqualTo(NOW + 500);
    assertThat(
            run(SetOperation.REPLACE, hash(NOW + 1, NOW + 500), Arguments.of(utf8("b")))
                .expireAtMillis())
        .isEqualTo(Expiry.NONE);
  }

  @Test
  void removesAsManyFromTheEndAsThereAre() {
    PackedList list = new PackedList(null);
    list.splice(0, 0, List.of(Bytes.of(utf8("a")), Bytes.of(utf8("b")), Bytes.of(utf8("a"))));
    Entry entry = new Entry(list.pack(), Expiry.NONE);
    assertThat(
            run(ListOperation.REMOVE, entry, Arguments.of(utf8("a")).with(Long.MIN_VALUE))
                .outcome())
        .isEqualTo(Outcome.of(2));
  }

  @Test
  void costlyPatternIsGivenUp() {
    PackedSet set = new PackedSet(null);
    for (int i = 0; i < 20_000; i++) {
      boolean _ = set.add(Bytes.of(utf8("a".repeat(60) + i)));
    }
    Entry entry = new Entry(set.pack(), Expiry.NONE);
    Arguments costly = Arguments.of(utf8("*" + "a".repeat(30) + "b")).with(0, Long.MAX_VALUE);
    assertThat(run(SetOperation.SCAN, entry, costly).outcome())
        .isInstanceOfSatisfying(
            Outcome.Failure.class,
            failure -> assertThat(failure.kind()).isEqualTo(Outcome.Failure.Kind.TOO_COSTLY));
    Arguments simple = Arguments.of(utf8("*a*9")).with(0, 10);
    assertThat(run(SetOperation.SCAN, entry, simple).outcome())
        .isInstanceOf(Outcome.Elements.class);
  }

  @Test
  void removalOfManyMembersIsQuick() {
    PackedHash hash = new PackedHash(null, NOW);
    PackedSortedSet sorted = new PackedSortedSet(null);
    for (int i = 0; i < 60_000; i++) {
      boolean _ = hash.put(Bytes.of(utf8("f" + i)), Bytes.of(utf8("")), Expiry.NONE);
      boolean _ = sorted.put(Bytes.of(utf8("f" + i)), i);
    }
    List<byte[]> absent = new ArrayList<>();
    for (int i = 0; i < 60_000; i++) {
      absent.add(utf8("x" + i));
    }
    long began = System.nanoTime();
    assertThat(run(HashOperation.REMOVE, new Entry(hash.pack(), 0), Arguments.of(absent)).outcome())
        .isEqualTo(Outcome.of(0));
    assertThat(
            run(SortedSetOperation.REMOVE, new Entry(sorted.pack(), 0), Arguments.of(absent))
                .outcome())
        .isEqualTo(Outcome.of(0));
    assertThat(System.nanoTime() - began).isLessThan(4_000_000_000L); // else a minute
  }

  @Test
  void operationsAreFoundByTheirCodes() {
    for (CollectionType type : CollectionType.values()) {
      int codes = type == CollectionType.SET ? 10 : 13;
      for (int code = 1; code <= codes; code++) {
        assertThat(Objects.requireNonNull(type.operation(code)).code()).isEqualTo(code);
      }
      assertThat(type.operation(0)).isNull();
      assertThat(type.operation(-1)).isNull();
      assertThat(type.operation(1_000)).isNull();
    }
  }
}
