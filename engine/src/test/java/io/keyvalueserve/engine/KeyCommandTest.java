package io.keyvalueserve.engine;

import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.value.BitField;
import io.keyvalueserve.engine.value.BitRange;
import io.keyvalueserve.engine.value.Sketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rules that hold for every command on every entry, tried on many of both. */
final class KeyCommandTest {
  private static final long NOW = 1_000_000;
  private static final int ROUNDS = 200_000;

  /** An entry: without text if the bytes are null. */
  private record Some(byte @Nullable [] bytes, long expireAtMillis) implements Current {
    @Override
    public boolean exists() {
      return true;
    }

    @Override
    public int length() {
      return bytes == null ? -1 : bytes.length;
    }

    @Override
    public @Nullable CollectionValue collection() {
      return null;
    }
  }

  /** No entry: to ask for anything but that is a mistake. */
  private record None() implements Current {
    @Override
    public boolean exists() {
      return false;
    }

    @Override
    public byte[] bytes() {
      throw new AssertionError("asked for the value of an absence");
    }

    @Override
    public int length() {
      throw new AssertionError("asked for the length of an absence");
    }

    @Override
    public @Nullable CollectionValue collection() {
      throw new AssertionError("asked for the collection of an absence");
    }

    @Override
    public long expireAtMillis() {
      throw new AssertionError("asked for the expiry of an absence");
    }
  }

  @Test
  void transitionsKeepTheirPromises() {
    Random random = new Random(9);
    for (int i = 0; i < ROUNDS; i++) {
      Current current = current(random);
      KeyCommand command = command(random);
      Transition transition = command.apply(current, NOW);
      String what = command + " on " + current + " gave " + transition;
      switch (transition.effect()) {
        case NOTHING, ACCESS -> {}
        case PUT -> {
          assertThat(transition.value() == null)
              .as(what)
              .isEqualTo(command instanceof KeyCommand.WriteCollection);
          assertLasts(transition, what);
        }
        case SET_EXPIRY -> {
          assertThat(current.exists()).as(what).isTrue();
          assertLasts(transition, what);
        }
        case REMOVE -> assertThat(current.exists()).as(what).isTrue();
      }
      boolean changes =
          transition.effect() != Transition.Effect.NOTHING
              && transition.effect() != Transition.Effect.ACCESS;
      if (changes) {
        assertThat(command.writes()).as(what).isTrue();
      }
      boolean refused =
          transition.outcome() instanceof Outcome.Rejected
              || transition.outcome() instanceof Outcome.NotApplied
              || transition.outcome() instanceof Outcome.Missing;
      if (refused) {
        assertThat(changes).as(what).isFalse();
      }
    }
  }

  private static void assertLasts(Transition transition, String what) {
    long at = transition.expireAtMillis();
    assertThat(at == Expiry.NONE || at > NOW).as(what).isTrue();
  }

  @Test
  void commandsThatBuildOnAValueKeepItsExpiry() {
    Random random = new Random(10);
    for (int i = 0; i < ROUNDS; i++) {
      Some current = new Some(utf8("12"), random.nextBoolean() ? Expiry.NONE : NOW + 5);
      List<KeyCommand> builders =
          List.of(
              new KeyCommand.Increment(utf8("k"), random.nextInt()),
              new KeyCommand.IncrementDecimal(utf8("k"), "0.5"),
              new KeyCommand.Append(utf8("k"), utf8("x"), 100),
              new KeyCommand.Overwrite(utf8("k"), random.nextInt(5), utf8("x"), 100),
              new KeyCommand.Operate(utf8("k"), new ValueOperation.SetBit(0, true)));
      Transition transition = builders.get(i % builders.size()).apply(current, NOW);
      assertThat(transition.effect()).isEqualTo(Transition.Effect.PUT);
      assertThat(transition.expireAtMillis()).isEqualTo(current.expireAtMillis());
    }
  }

  @Test
  void aValueWithoutTextIsLeftAloneByWhoeverNeedsItsText() {
    Some opaque = new Some(null, NOW + 5);
    List<KeyCommand> all = new ArrayList<>();
    all.add(new KeyCommand.Read(utf8("k")));
    all.add(new KeyCommand.ReadAndExpire(utf8("k"), Expiry.NONE));
    all.add(new KeyCommand.Write(utf8("k"), utf8("v"), 0, WriteCondition.ALWAYS, true));
    all.add(new KeyCommand.Remove(utf8("k"), true));
    ValueMatch tagged = ValueMatch.tagged(List.of(ValueTag.of(utf8("v"))));
    all.add(new KeyCommand.WriteIf(utf8("k"), utf8("v"), 0, tagged));
    all.add(new KeyCommand.RemoveIf(utf8("k"), tagged));
    all.add(new KeyCommand.Increment(utf8("k"), 1));
    all.add(new KeyCommand.IncrementDecimal(utf8("k"), "1"));
    all.add(new KeyCommand.Append(utf8("k"), utf8("x"), 10));
    all.add(new KeyCommand.Overwrite(utf8("k"), 0, utf8("x"), 10));
    for (ValueOperation operation : operations()) {
      all.add(new KeyCommand.Operate(utf8("k"), operation));
    }
    for (KeyCommand command : all) {
      assertThat(command.apply(opaque, NOW))
          .as(command.toString())
          .isEqualTo(Transition.nothing(Outcome.Rejected.WRONG_TYPE));
    }
    assertThat(KeyCommand.Write.of(utf8("k"), utf8("v")).apply(opaque, NOW).effect())
        .isEqualTo(Transition.Effect.PUT);
  }

  /** All that need the value's text. */
  private static List<ValueOperation> operations() {
    BitField set =
        new BitField(BitField.Action.SET, BitField.Overflow.WRAP, /* signed= */ false, 8, 3, 9);
    return List.of(
        new ValueOperation.SetBit(7, true),
        new ValueOperation.GetBit(7),
        new ValueOperation.CountBits(BitRange.ALL),
        new ValueOperation.FindBit(true, BitRange.ALL, false),
        new ValueOperation.RunFields(List.of(set)),
        new ValueOperation.AddToSketch(List.of(utf8("e"))),
        new ValueOperation.CountSketch(),
        new ValueOperation.ReadSketch(),
        new ValueOperation.MergeSketch(new byte[Sketch.REGISTERS], false),
        new ValueOperation.Export());
  }

  @Test
  void looksThroughNoSketchThatIsLongerThanAny() {
    byte[] value = Arrays.copyOf(Sketch.empty().value(), Sketch.MOST_BYTES + 1);
    for (ValueOperation operation :
        List.of(
            new ValueOperation.AddToSketch(List.of(utf8("e"))),
            new ValueOperation.CountSketch(),
            new ValueOperation.ReadSketch(),
            new ValueOperation.MergeSketch(new byte[Sketch.REGISTERS], false))) {
      assertThat(new KeyCommand.Operate(utf8("k"), operation).apply(new Some(value, 0), NOW))
          .isEqualTo(Transition.nothing(Outcome.Rejected.CORRUPT_SKETCH));
    }
  }

  @Test
  void comparesValuesByTheirTags() {
    Some old = new Some(utf8("old"), NOW + 5);
    ValueMatch isOld = ValueMatch.tagged(List.of(ValueTag.of(utf8("x")), ValueTag.of(utf8("old"))));
    KeyCommand.WriteIf write = new KeyCommand.WriteIf(utf8("k"), utf8("new"), Expiry.KEEP, isOld);
    Transition written = write.apply(old, NOW);
    assertThat(written.effect()).isEqualTo(Transition.Effect.PUT);
    assertThat(written.expireAtMillis()).isEqualTo(NOW + 5);
    assertThat(written.outcome()).isEqualTo(new Outcome.IntegerResult(KeyCommand.WriteIf.REPLACED));
    assertThat(write.apply(new Some(utf8("olds"), 0), NOW))
        .isEqualTo(Transition.nothing(Outcome.NotApplied.WITHOUT_PREVIOUS));
    assertThat(write.apply(new None(), NOW))
        .isEqualTo(Transition.nothing(Outcome.NotApplied.WITHOUT_PREVIOUS));
    assertThat(
            new KeyCommand.WriteIf(utf8("k"), utf8("new"), 0, ValueMatch.ABSENT)
                .apply(new None(), NOW)
                .outcome())
        .isEqualTo(new Outcome.IntegerResult(KeyCommand.WriteIf.CREATED));

    KeyCommand.RemoveIf remove = new KeyCommand.RemoveIf(utf8("k"), isOld);
    assertThat(remove.apply(old, NOW).effect()).isEqualTo(Transition.Effect.REMOVE);
    assertThat(remove.apply(new Some(utf8("new"), 0), NOW))
        .isEqualTo(Transition.nothing(Outcome.NotApplied.WITHOUT_PREVIOUS));
    assertThat(remove.apply(new None(), NOW).outcome()).isEqualTo(Outcome.Missing.MISSING);
  }

  private static Current current(Random random) {
    long expiry = random.nextBoolean() ? Expiry.NONE : NOW + 1 + random.nextInt(10);
    return switch (random.nextInt(5)) {
      case 0 -> new None();
      case 1 -> new Some(null, expiry);
      case 2 -> new Some(utf8(Long.toString(random.nextLong())), expiry);
      default -> new Some(new byte[random.nextInt(4)], expiry);
    };
  }

  private static KeyCommand command(Random random) {
    byte[] key = utf8("k");
    byte[] value = new byte[random.nextInt(4)];
    boolean flag = random.nextBoolean();
    long expiry = NOW - 5 + random.nextInt(20);
    WriteCondition[] writes = WriteCondition.values();
    ExpireCondition[] expires = ExpireCondition.values();
    long some = random.nextInt(3) == 0 ? random.nextInt(2) - 1 : expiry;
    return switch (random.nextInt(14)) {
      case 0 -> new KeyCommand.Read(key);
      case 1 -> new KeyCommand.Probe(key, flag);
      case 2 -> new KeyCommand.Write(key, value, some, writes[random.nextInt(3)], flag);
      case 3 -> new KeyCommand.Remove(key, flag);
      case 4 -> new KeyCommand.Expire(key, Math.max(0, some), expires[random.nextInt(5)]);
      case 5 -> new KeyCommand.ReadAndExpire(key, some);
      case 6 -> new KeyCommand.Increment(key, random.nextLong());
      case 7 -> new KeyCommand.IncrementDecimal(key, flag ? "0.5" : "x");
      case 8 -> new KeyCommand.Append(key, value, 5);
      case 9 -> new KeyCommand.WriteIf(key, value, some, match(random));
      case 10 -> new KeyCommand.RemoveIf(key, match(random));
      case 11 -> new KeyCommand.Operate(key, operations().get(random.nextInt(operations().size())));
      case 12 ->
          new KeyCommand.WriteCollection(
              key, CollectionType.SET, value, Math.max(0, some), writes[random.nextInt(3)]);
      default -> new KeyCommand.Overwrite(key, random.nextInt(5), value, 5);
    };
  }

  private static ValueMatch match(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> ValueMatch.ANY;
      case 1 -> ValueMatch.ABSENT;
      case 2 -> ValueMatch.PRESENT;
      default ->
          ValueMatch.tagged(
              List.of(ValueTag.of(utf8("another")), ValueTag.of(new byte[random.nextInt(4)])));
    };
  }
}
