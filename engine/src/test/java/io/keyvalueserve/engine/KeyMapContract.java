package io.keyvalueserve.engine;

import static io.keyvalueserve.engine.Batches.await;
import static io.keyvalueserve.engine.Batches.latin;
import static io.keyvalueserve.engine.Batches.run;
import static io.keyvalueserve.engine.Batches.text;
import static io.keyvalueserve.engine.Batches.texts;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.engine.KeyCommand.Append;
import io.keyvalueserve.engine.KeyCommand.Expire;
import io.keyvalueserve.engine.KeyCommand.Increment;
import io.keyvalueserve.engine.KeyCommand.IncrementDecimal;
import io.keyvalueserve.engine.KeyCommand.Overwrite;
import io.keyvalueserve.engine.KeyCommand.Probe;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.ReadAndExpire;
import io.keyvalueserve.engine.KeyCommand.Remove;
import io.keyvalueserve.engine.KeyCommand.RemoveIf;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyCommand.WriteIf;
import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.engine.KeyMap.ScanPage;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.ElementCondition;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.engine.value.BitField;
import io.keyvalueserve.engine.value.BitRange;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of what every {@link Engine} does: a subclass names the engine.
 *
 * <p>Each test works on maps of its own, so that one engine may serve them all. Nothing is said of
 * how long an entry that has expired still counts in {@link KeyMap#size}.
 */
public abstract class KeyMapContract {
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final long HOUR_MILLIS = 3_600_000;

  /** Enough for a few commands before an entry expires, on a machine that is busy. */
  private static final long SOON_MILLIS = 1_500;

  private static final long IF_NONE = ElementCondition.IF_NONE.code();
  private static final long IF_SOME = ElementCondition.IF_SOME.code();

  private static final byte[] NO_UTF8 = {(byte) 0xff, 0, 'k'};

  private KeyMap map;

  @BeforeEach
  final void takeAFreshMap() {
    map = newMap("acme");
  }

  /** The engine under test; the same one for all tests of a class, if that is quicker. */
  protected abstract Engine engine();

  /** The engine's time, in milliseconds since 1970. */
  protected abstract long nowMillis();

  /** Comes back when the engine's clock has reached this time. */
  protected abstract void passTo(long timeMillis);

  /** A map of this tenant that no other test uses. */
  protected final KeyMap newMap(String tenant) {
    return space(tenant).map(new MapName("map-" + NAMES.incrementAndGet()));
  }

  /** The space of this tenant. */
  protected final TenantSpace space(String tenant) {
    return engine()
        .space(
            new Identity(new TenantName(tenant), Math.max(1, tenant.hashCode() & 0xffff), "key"));
  }

  private static Write write(String key, String value) {
    return Write.of(utf8(key), utf8(value));
  }

  private static Write writeUntil(String key, String value, long expireAtMillis) {
    return new Write(utf8(key), utf8(value), expireAtMillis, WriteCondition.ALWAYS, false);
  }

  private static Read read(String key) {
    return new Read(utf8(key));
  }

  private static Probe probe(String key) {
    return new Probe(utf8(key), false);
  }

  private List<String> readAll(String... keys) {
    return Stream.of(keys).map(key -> texts(map, read(key)).getFirst()).toList();
  }

  // ---- single commands

  @Test
  void readsWhatWasWritten() {
    assertThat(texts(map, read("k"), write("k", "v"), read("k"), probe("k"), probe("nothing")))
        .containsExactly("MISSING", "Applied", "Entry v", "Info 1", "MISSING");
  }

  @Test
  void writesAndRemovesWhatIsAsItWasSeen() {
    ValueMatch isV = ValueMatch.tagged(List.of(ValueTag.of(utf8("v"))));
    assertThat(
            texts(
                map,
                new WriteIf(utf8("k"), utf8("v"), Expiry.NONE, ValueMatch.PRESENT),
                new WriteIf(utf8("k"), utf8("v"), Expiry.NONE, ValueMatch.ABSENT),
                new WriteIf(utf8("k"), utf8("x"), Expiry.NONE, ValueMatch.ABSENT),
                new WriteIf(utf8("k"), utf8("w"), Expiry.NONE, isV),
                new WriteIf(utf8("k"), utf8("x"), Expiry.NONE, isV),
                new RemoveIf(utf8("k"), isV),
                read("k"),
                new WriteIf(utf8("k"), utf8("v"), Expiry.NONE, ValueMatch.ANY),
                new RemoveIf(utf8("k"), isV),
                read("k")))
        .containsExactly(
            "NotApplied",
            "Integer 1",
            "NotApplied",
            "Integer 0",
            "NotApplied",
            "NotApplied",
            "Entry w",
            "Integer 0",
            "Applied",
            "MISSING");
  }

  @Test
  void aBatchMayBeEmpty() {
    assertThat(run(map, List.of())).isEmpty();
  }

  @Test
  void keysAndValuesAreAnyBytes() {
    List<byte[]> all =
        List.of(
            new byte[0],
            new byte[] {0},
            new byte[] {(byte) 0xff},
            new byte[] {(byte) 0xc0, (byte) 0x80}, // an overlong zero is no UTF-8
            new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, // nor is half a surrogate pair
            utf8("\u0000\u007f\u0080\u07ff\u0800\uffff\ud83d\ude00"),
            utf8("\ufeff"),
            utf8("a/b@c:{d} *?[]\r\n"),
            new byte[100_000]);
    for (byte[] key : all) {
      assertThat(run(map, new Read(key))).isEqualTo(Outcome.Missing.MISSING);
      run(map, Write.of(key, key));
    }
    for (byte[] key : all) {
      assertThat(run(map, new Read(key)))
          .isInstanceOfSatisfying(
              Outcome.Entry.class, entry -> assertThat(entry.value()).isEqualTo(key));
    }
    assertThat(await(map.size())).isEqualTo(all.size());
    assertThat(scanAll(map, 2, GlobPattern.ANY))
        .containsExactlyInAnyOrderElementsOf(all.stream().map(Batches::latin).toList());
    all.forEach(
        key ->
            assertThat(run(map, new Remove(key, false)))
                .isEqualTo(Outcome.Applied.WITHOUT_PREVIOUS));
    assertThat(await(map.size())).isZero();
  }

  @Test
  void writesUnderAConditionOnly() {
    Write ifAbsent = new Write(utf8("k"), utf8("1"), 0, WriteCondition.IF_ABSENT, false);
    Write ifPresent = new Write(utf8("k"), utf8("2"), 0, WriteCondition.IF_PRESENT, false);
    assertThat(texts(map, ifPresent, ifAbsent, ifAbsent, read("k"), ifPresent, read("k")))
        .containsExactly("NotApplied", "Applied", "NotApplied", "Entry 1", "Applied", "Entry 2");
  }

  @Test
  void answersWithThePreviousValue() {
    Write and = new Write(utf8("k"), utf8("2"), 0, WriteCondition.ALWAYS, true);
    Write not = new Write(utf8("k"), utf8("3"), 0, WriteCondition.IF_ABSENT, true);
    Remove take = new Remove(utf8("k"), true);
    assertThat(texts(map, and, and, not, take, take, new Remove(utf8("k"), false)))
        .containsExactly(
            "Applied", "Applied was 2", "NotApplied was 2", "Applied was 2", "MISSING", "MISSING");
  }

  @Test
  void countsAndBuildsValues() {
    byte[] key = utf8("k");
    assertThat(
            texts(
                map,
                new Increment(key, 5),
                new Increment(key, -7),
                new IncrementDecimal(key, "0.5"),
                new Increment(key, 1),
                write("k", "x"),
                new Increment(key, 1),
                new IncrementDecimal(key, "1"),
                new Append(key, utf8("yz"), 10),
                new Append(key, utf8("too much"), 10),
                new Overwrite(key, 1, utf8("-"), 10),
                new Overwrite(key, 5, utf8("!"), 10),
                read("k")))
        .containsExactly(
            "Integer 5",
            "Integer -2",
            "Decimal -1.5",
            "NOT_AN_INTEGER",
            "Applied",
            "NOT_AN_INTEGER",
            "NOT_A_DECIMAL",
            "Integer 3",
            "TOO_LONG",
            "Integer 3",
            "Integer 6",
            "Entry x-z\0\0!");
  }

  // ---- batches

  @Test
  void commandsOnOneKeyTakeEffectInTheOrderOfTheBatch() {
    List<KeyCommand> commands = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    Map<Integer, Long> model = new HashMap<>();
    Random random = new Random(7);
    for (int i = 0; i < 1_000; i++) {
      int key = random.nextInt(50);
      long value = model.merge(key, 1L, Long::sum);
      commands.add(new Increment(utf8("counter-" + key), 1));
      expected.add("Integer " + value);
      commands.add(read("counter-" + key));
      expected.add("Entry " + value);
    }
    assertThat(run(map, commands).stream().map(Batches::text)).containsExactlyElementsOf(expected);
  }

  @Test
  void aBatchSeesAllOfTheOneBefore() {
    for (int round = 0; round < 20; round++) {
      String value = "v" + round;
      run(map, IntStream.range(0, 100).mapToObj(i -> write("k" + i, value)).toList());
      assertThat(run(map, IntStream.range(0, 100).mapToObj(i -> read("k" + i)).toList()))
          .allSatisfy(outcome -> assertThat(Batches.text(outcome)).isEqualTo("Entry " + value));
    }
  }

  // ---- expiry

  @Test
  void tellsTheExpiryToTheMillisecond() {
    long at = nowMillis() + HOUR_MILLIS + 123;
    assertThat(texts(map, writeUntil("k", "v", at), probe("k"), read("k")))
        .containsExactly("Applied", "Info 1 until " + at, "Entry v until " + at);
  }

  /** The last moment of all may be kept some seconds early. */
  @Test
  void keepsATimeInTheFarFuture() {
    long far = 5_000_000_000_000_000_000L;
    assertThat(texts(map, writeUntil("k", "v", far), probe("k")))
        .containsExactly("Applied", "Info 1 until " + far);
    assertThat(expiryAfter(writeUntil("k", "v", Long.MAX_VALUE)))
        .isGreaterThan(Long.MAX_VALUE - 10_000);
    assertThat(expiryAfter(new Expire(utf8("k"), far, ExpireCondition.ALWAYS))).isEqualTo(far);
    assertThat(expiryAfter(new Expire(utf8("k"), Long.MAX_VALUE, ExpireCondition.ALWAYS)))
        .isGreaterThan(Long.MAX_VALUE - 10_000);
    assertThat(texts(map, read("k"))).hasSize(1).first().asString().startsWith("Entry v");
  }

  private long expiryAfter(KeyCommand command) {
    List<Outcome> outcomes = run(map, List.of(command, probe("k")));
    return ((Outcome.Info) outcomes.get(1)).expireAtMillis();
  }

  @Test
  void tellsHowManyEntriesExpire() {
    long at = nowMillis() + HOUR_MILLIS;
    assertThat(await(map.expiring())).isZero();
    assertThat(texts(map, writeUntil("a", "v", at), write("b", "v"), writeUntil("c", "v", at)))
        .hasSize(3);
    assertThat(await(map.expiring())).isEqualTo(2);
    assertThat(texts(map, new Expire(utf8("a"), Expiry.NONE, ExpireCondition.ALWAYS))).hasSize(1);
    assertThat(await(map.expiring())).isEqualTo(1);
  }

  @Test
  void anEntryIsGoneWhenItsTimeHasCome() {
    long at = nowMillis() + SOON_MILLIS;
    assertThat(texts(map, writeUntil("k", "v", at), read("k"), write("stays", "v")))
        .containsExactly("Applied", "Entry v until " + at, "Applied");
    passTo(at);
    assertThat(texts(map, read("k"), probe("k"), new Remove(utf8("k"), false), read("stays")))
        .containsExactly("MISSING", "MISSING", "MISSING", "Entry v");
    assertThat(scanAll(map, 10, GlobPattern.ANY)).containsExactly("stays");
    assertThat(texts(map, new Increment(utf8("k"), 1), probe("k")))
        .containsExactly("Integer 1", "Info 1");
  }

  @Test
  void aTimeThatHasPassedRemovesAtOnce() {
    long past = nowMillis() - 1;
    assertThat(
            texts(
                map,
                writeUntil("k", "v", past),
                read("k"),
                write("k", "v"),
                new Expire(utf8("k"), past, ExpireCondition.ALWAYS),
                read("k"),
                write("k", "v"),
                new ReadAndExpire(utf8("k"), past),
                read("k")))
        .containsExactly(
            "Applied", "MISSING", "Applied", "Applied", "MISSING", "Applied", "Entry v", "MISSING");
  }

  @Test
  void aPlainWriteTakesTheExpiryAwayAndOthersKeepIt() {
    long at = nowMillis() + HOUR_MILLIS;
    byte[] key = utf8("k");
    assertThat(
            texts(
                map,
                writeUntil("k", "1", at),
                new Increment(key, 1),
                new IncrementDecimal(key, "1"),
                new Append(key, utf8("0"), 100),
                new Overwrite(key, 0, utf8("4"), 100),
                probe("k"),
                new Write(key, utf8("kept"), Expiry.KEEP, WriteCondition.ALWAYS, false),
                probe("k"),
                write("k", "plain"),
                probe("k")))
        .endsWith("Info 2 until " + at, "Applied", "Info 4 until " + at, "Applied", "Info 5");
  }

  @Test
  void setsAndTakesAwayTheExpiryAlone() {
    long at = nowMillis() + HOUR_MILLIS;
    byte[] key = utf8("k");
    assertThat(
            texts(
                map,
                new Expire(key, at, ExpireCondition.ALWAYS),
                write("k", "v"),
                new Expire(key, at, ExpireCondition.IF_SOME),
                new Expire(key, at, ExpireCondition.IF_LATER),
                new Expire(key, at, ExpireCondition.IF_NONE),
                new Expire(key, at, ExpireCondition.IF_NONE),
                new Expire(key, at - 1, ExpireCondition.IF_LATER),
                new Expire(key, at - 1, ExpireCondition.IF_EARLIER),
                probe("k"),
                new Expire(key, Expiry.NONE, ExpireCondition.ALWAYS),
                probe("k"),
                new ReadAndExpire(key, at + 5),
                new ReadAndExpire(key, Expiry.KEEP),
                new ReadAndExpire(key, Expiry.NONE),
                probe("k")))
        .containsExactly(
            "MISSING",
            "Applied",
            "NotApplied",
            "NotApplied",
            "Applied",
            "NotApplied",
            "NotApplied",
            "Applied",
            "Info 1 until " + (at - 1),
            "Applied",
            "Info 1",
            "Entry v until " + (at + 5),
            "Entry v until " + (at + 5),
            "Entry v",
            "Info 1");
  }

  // ---- several keys

  @Test
  void insertsAllOrNothing() {
    assertThat(await(map.insertAll(List.of(write("a", "1"), write("b", "2"))))).isTrue();
    assertThat(await(map.insertAll(List.of(write("c", "3"), write("b", "4"))))).isFalse();
    assertThat(readAll("a", "b", "c")).containsExactly("Entry 1", "Entry 2", "MISSING");
    assertThat(await(map.insertAll(List.of()))).isTrue();
  }

  @Test
  void insertsTheLastOfTwoWritesOfAKey() {
    assertThat(await(map.insertAll(List.of(write("a", "1"), write("a", "2"))))).isTrue();
    assertThat(readAll("a")).containsExactly("Entry 2");
  }

  @Test
  void operatesOnValues() {
    long at = nowMillis() + HOUR_MILLIS + 7;
    run(map, writeUntil("k", "a", at));
    List<KeyCommand> commands = new ArrayList<>();
    for (ValueOperation operation :
        List.of(
            new ValueOperation.SetBit(6, false),
            new ValueOperation.SetBit(6, true),
            new ValueOperation.GetBit(6),
            new ValueOperation.CountBits(BitRange.ALL),
            new ValueOperation.FindBit(true, BitRange.ALL, false),
            new ValueOperation.RunFields(
                List.of(
                    new BitField(BitField.Action.SET, BitField.Overflow.FAIL, false, 8, 8, 'z'),
                    new BitField(
                        BitField.Action.INCREMENT, BitField.Overflow.FAIL, false, 8, 8, 200))),
            new ValueOperation.AddToSketch(List.of(utf8("e"))),
            new ValueOperation.Describe(ValueOperation.Describe.Fact.FORM))) {
      commands.add(new KeyCommand.Operate(utf8("k"), operation));
    }
    assertThat(texts(map, commands.toArray(KeyCommand[]::new)))
        .containsExactly(
            "Integer 0",
            "Integer 0",
            "Integer 1",
            "Integer 4",
            "Integer 1",
            "Integers [0, 0] absent [false, true]",
            "NOT_A_SKETCH",
            "Integer " + ValueOperation.Describe.SHORT_TEXT);
    assertThat(readAll("k")).containsExactly("Entry cz until " + at);
  }

  @Test
  void describesEntries() {
    run(map, write("k", "v".repeat(1_000)));
    assertThat(fact("k", ValueOperation.Describe.Fact.IDLE_MILLIS)).isBetween(0L, HOUR_MILLIS);
    assertThat(fact("k", ValueOperation.Describe.Fact.STORED_BYTES)).isBetween(1_000L, 2_000L);
    KeyCommand absent =
        new KeyCommand.Operate(
            utf8("nothing"), new ValueOperation.Describe(ValueOperation.Describe.Fact.IDLE_MILLIS));
    assertThat(texts(map, absent)).containsExactly("MISSING");
  }

  private long fact(String key, ValueOperation.Describe.Fact fact) {
    Outcome outcome =
        run(map, new KeyCommand.Operate(utf8(key), new ValueOperation.Describe(fact)));
    return ((Outcome.IntegerResult) outcome).value();
  }

  @Test
  void bitsOfLargeValuesAreRead() {
    byte[] value = new byte[1 << 20];
    value[700_000] = 0x10;
    run(map, KeyCommand.Write.of(utf8("large"), value));
    long bit = 700_000L * Byte.SIZE + 3;
    for (DirectMap way : List.of(map.direct(), DirectMap.NONE)) {
      for (long offset :
          new long[] {bit - 1, bit, bit + 1, 0, (1L << 23) - 1, 1L << 23, 1L << 31}) {
        KeyCommand get = new KeyCommand.Operate(utf8("large"), new ValueOperation.GetBit(offset));
        Outcome outcome = way.execute(get);
        assertThat(text(outcome == null ? run(map, get) : outcome))
            .as("%d", offset)
            .isEqualTo("Integer " + (offset == bit ? 1 : 0));
      }
    }
    KeyCommand clear = new KeyCommand.Operate(utf8("large"), new ValueOperation.SetBit(bit, false));
    KeyCommand count =
        new KeyCommand.Operate(utf8("large"), new ValueOperation.CountBits(BitRange.ALL));
    assertThat(texts(map, clear, count)).containsExactly("Integer 1", "Integer 0");
  }

  @Test
  void sketchesCountWhatWasAddedAnywhere() {
    List<KeyCommand> adds = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      adds.add(
          new KeyCommand.Operate(
              utf8("s" + i % 3), new ValueOperation.AddToSketch(List.of(utf8("e" + i)))));
    }
    assertThat(texts(map, adds.toArray(KeyCommand[]::new))).contains("Integer 1");
    KeyCommand count = new KeyCommand.Operate(utf8("s1"), new ValueOperation.CountSketch());
    assertThat(texts(map, count)).containsExactly("Integer 100");
  }

  @Test
  void renamesWithValueAndExpiry() {
    long at = nowMillis() + HOUR_MILLIS + 7;
    run(map, List.of(writeUntil("from", "v", at), write("to", "old")));
    assertThat(await(map.rename(utf8("nothing"), utf8("to"), false)))
        .isEqualTo(MoveOutcome.NO_SUCH_KEY);
    assertThat(await(map.rename(utf8("from"), utf8("to"), true)))
        .isEqualTo(MoveOutcome.TARGET_EXISTS);
    assertThat(readAll("from", "to")).containsExactly("Entry v until " + at, "Entry old");
    assertThat(await(map.rename(utf8("from"), utf8("to"), false))).isEqualTo(MoveOutcome.DONE);
    assertThat(readAll("from", "to")).containsExactly("MISSING", "Entry v until " + at);
    assertThat(await(map.rename(utf8("to"), utf8("fresh"), true))).isEqualTo(MoveOutcome.DONE);
    assertThat(readAll("to", "fresh")).containsExactly("MISSING", "Entry v until " + at);
  }

  @Test
  void renamesOntoItself() {
    byte[] key = utf8("k");
    assertThat(await(map.rename(key, key, false))).isEqualTo(MoveOutcome.NO_SUCH_KEY);
    run(map, write("k", "v"));
    assertThat(await(map.rename(key, key.clone(), false))).isEqualTo(MoveOutcome.DONE);
    assertThat(await(map.rename(key, key.clone(), true))).isEqualTo(MoveOutcome.TARGET_EXISTS);
    assertThat(readAll("k")).containsExactly("Entry v");
  }

  @Test
  void aRenamedEntryWithoutExpiryLosesNoneAndGainsNone() {
    run(map, List.of(write("from", "v"), writeUntil("to", "old", nowMillis() + HOUR_MILLIS)));
    await(map.rename(utf8("from"), utf8("to"), false));
    assertThat(readAll("to")).containsExactly("Entry v");
  }

  @Test
  void copiesWithinAMapAndToAnother() {
    long at = nowMillis() + HOUR_MILLIS + 7;
    KeyMap other = newMap("acme");
    run(map, writeUntil("from", "v", at));
    assertThat(await(map.copy(utf8("nothing"), map, utf8("to"), true)))
        .isEqualTo(MoveOutcome.NO_SUCH_KEY);
    assertThat(await(map.copy(utf8("from"), map, utf8("to"), false))).isEqualTo(MoveOutcome.DONE);
    assertThat(await(map.copy(utf8("from"), map, utf8("to"), false)))
        .isEqualTo(MoveOutcome.TARGET_EXISTS);
    assertThat(readAll("from", "to")).containsExactly("Entry v until " + at, "Entry v until " + at);
    run(other, write("from", "old"));
    assertThat(await(map.copy(utf8("from"), other, utf8("from"), false)))
        .isEqualTo(MoveOutcome.TARGET_EXISTS);
    assertThat(await(map.copy(utf8("from"), other, utf8("from"), true)))
        .isEqualTo(MoveOutcome.DONE);
    assertThat(texts(other, read("from"))).containsExactly("Entry v until " + at);
    run(map, write("from", "changed"));
    assertThat(texts(other, read("from"))).containsExactly("Entry v until " + at);
  }

  @Test
  void refusesToCopyToAnotherEngine() {
    run(map, write("k", "v"));
    KeyMap foreign =
        new MapEngine(InstantSource.system())
            .space(new Identity(new TenantName("acme"), 1, "key"))
            .map(MapName.DEFAULT);
    assertThatThrownBy(() -> map.copy(utf8("k"), foreign, utf8("k"), true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(texts(foreign, read("k"))).containsExactly("MISSING");
  }

  // ---- collections

  private static KeyCommand.OnCollection onHash(
      String key, HashOperation operation, String... arguments) {
    return new KeyCommand.OnCollection(
        utf8(key),
        operation,
        Arguments.of(Stream.of(arguments).map(Batches::utf8).toList()),
        KeyCommand.MOST_COLLECTION_BYTES);
  }

  @Test
  void keepsAHashUnderItsKey() {
    KeyCommand all = onHash("h", HashOperation.ALL);
    assertThat(texts(map, onHash("h", HashOperation.SET, "f", "1", "g", "2")))
        .containsExactly("Integer 2");
    assertThat(texts(map, onHash("h", HashOperation.SET, "f", "3", "i", "4"), all))
        .containsExactly("Integer 1", "Elements [f, 3, g, 2, i, 4]");
    assertThat(
            texts(
                map,
                onHash("h", HashOperation.GET, "g"),
                onHash("h", HashOperation.GET, "none"),
                onHash("none", HashOperation.GET, "g"),
                onHash("h", HashOperation.GET_MANY, "none", "i")))
        .containsExactly("Entry 2", "MISSING", "MISSING", "Elements [NOTHING, 4]");
    assertThat(texts(map, onHash("h", HashOperation.REMOVE, "f", "none", "g"), all))
        .containsExactly("Integer 2", "Elements [i, 4]");
    assertThat(texts(map, onHash("h", HashOperation.REMOVE, "i"), probe("h"), all))
        .containsExactly("Integer 1", "MISSING", "Elements []");
  }

  @Test
  void movesWholeCollections() {
    run(map, List.of(onHash("h", HashOperation.SET, "f", "1", "g", "2"), write("s", "v")));
    KeyCommand export = new KeyCommand.Operate(utf8("h"), new ValueOperation.Export());
    List<Element> exported = ((Outcome.Elements) run(map, export)).elements();
    assertThat(exported.getFirst()).isEqualTo(new Element.Whole(CollectionType.HASH.code()));
    byte[] packed = ((Element.Text) exported.getLast()).bytes();
    long later = System.currentTimeMillis() + HOUR_MILLIS;
    KeyCommand all = onHash("copy", HashOperation.ALL);
    assertThat(texts(map, writeHash("copy", packed, later, WriteCondition.IF_ABSENT), all))
        .containsExactly("Applied", "Elements [f, 1, g, 2]");
    assertThat(
            texts(
                map,
                writeHash("copy", packed, Expiry.NONE, WriteCondition.IF_ABSENT),
                writeHash("s", packed, Expiry.NONE, WriteCondition.ALWAYS),
                onHash("s", HashOperation.SET, "f", "3"),
                all))
        .containsExactly("NotApplied", "Applied", "Integer 0", "Elements [f, 1, g, 2]");
    assertThat(
            texts(map, writeHash("copy", packed, 1, WriteCondition.ALWAYS), probe("copy"), export))
        .startsWith("Applied", "MISSING");
    assertThat(
            texts(
                map,
                new KeyCommand.Operate(utf8("none"), new ValueOperation.Export()),
                write("t", "text"),
                new KeyCommand.Operate(utf8("t"), new ValueOperation.Export())))
        .containsExactly("MISSING", "Applied", "Entry text");
  }

  private static KeyCommand writeHash(
      String key, byte[] packed, long expireAtMillis, WriteCondition condition) {
    return new KeyCommand.WriteCollection(
        utf8(key), CollectionType.HASH, packed, expireAtMillis, condition);
  }

  @Test
  void aCollectionIsNoStringAndAStringNoCollection() {
    run(map, List.of(onHash("h", HashOperation.SET, "f", "1"), write("s", "v")));
    assertThat(
            texts(
                map,
                probe("h"),
                read("h"),
                new Append(utf8("h"), utf8("x"), 100),
                new Increment(utf8("h"), 1),
                new Write(utf8("h"), utf8("v"), Expiry.NONE, WriteCondition.ALWAYS, true),
                new Remove(utf8("h"), true),
                onHash("s", HashOperation.SET, "f", "1"),
                onHash("s", HashOperation.GET, "f")))
        .containsExactly(
            "Info hash",
            "WRONG_TYPE",
            "WRONG_TYPE",
            "WRONG_TYPE",
            "WRONG_TYPE",
            "WRONG_TYPE",
            "WRONG_TYPE",
            "WRONG_TYPE");
    assertThat(texts(map, write("h", "v"), read("h"))).containsExactly("Applied", "Entry v");
  }

  @Test
  void aCollectionExpiresMovesAndIsCopied() {
    long at = nowMillis() + HOUR_MILLIS + 7;
    KeyCommand size = onHash("to", HashOperation.SIZE);
    run(map, onHash("h", HashOperation.SET, "f", "1"));
    run(map, new Expire(utf8("h"), at, ExpireCondition.ALWAYS));
    run(map, onHash("h", HashOperation.SET, "g", "1"));
    assertThat(texts(map, probe("h"))).containsExactly("Info hash until " + at);
    assertThat(await(map.rename(utf8("h"), utf8("from"), false))).isEqualTo(MoveOutcome.DONE);
    assertThat(await(map.copy(utf8("from"), map, utf8("to"), false))).isEqualTo(MoveOutcome.DONE);
    run(map, onHash("from", HashOperation.SET, "h", "1"));
    assertThat(texts(map, probe("h"), probe("to"), size))
        .containsExactly("MISSING", "Info hash until " + at, "Integer 2");
    long soon = nowMillis() + SOON_MILLIS;
    run(map, new Expire(utf8("to"), soon, ExpireCondition.ALWAYS));
    passTo(soon + 1);
    assertThat(texts(map, probe("to"), size)).containsExactly("MISSING", "Integer 0");
  }

  @Test
  void fieldsOfAHashExpire() {
    long later = nowMillis() + HOUR_MILLIS + 7;
    long soon = nowMillis() + SOON_MILLIS;
    run(map, onHash("h", HashOperation.SET, "a", "1", "b", "2", "c", "3"));
    assertThat(
            texts(
                map,
                with(onHash("h", HashOperation.EXPIRE, "a", "none"), soon, 0),
                with(onHash("h", HashOperation.EXPIRE, "b", "a"), later, IF_SOME),
                with(onHash("h", HashOperation.EXPIRE, "b"), later, IF_NONE),
                onHash("h", HashOperation.EXPIRY, "b", "c", "none"),
                onHash("none", HashOperation.EXPIRY, "b")))
        .containsExactly(
            "Elements [1, -2]",
            "Elements [0, 1]",
            "Elements [1]",
            "Elements [" + later + ", -1, -2]",
            "Elements [-2]");
    run(map, with(onHash("h", HashOperation.EXPIRE, "a"), soon, 0));
    run(map, with(onHash("gone", HashOperation.SET_AND_EXPIRE, "a", "1"), soon, 0));
    passTo(soon + 1);
    assertThat(
            texts(
                map,
                onHash("h", HashOperation.ALL),
                onHash("h", HashOperation.SIZE),
                onHash("h", HashOperation.GET, "a"),
                onHash("h", HashOperation.PERSIST, "b", "c", "a"),
                onHash("h", HashOperation.EXPIRY, "b"),
                onHash("gone", HashOperation.SIZE)))
        .containsExactly(
            "Elements [b, 2, c, 3]",
            "Integer 2",
            "MISSING",
            "Elements [1, -1, -2]",
            "Elements [-1]",
            "Integer 0");
    assertThat(texts(map, onHash("gone", HashOperation.REMOVE, "a"), probe("gone")))
        .containsExactly("Integer 0", "MISSING");
  }

  @Test
  void writesAndReadsFieldsWithWhenTheyExpire() {
    long later = nowMillis() + HOUR_MILLIS + 7;
    long past = nowMillis() - 1;
    KeyCommand.OnCollection set = onHash("h", HashOperation.SET_AND_EXPIRE, "a", "1", "b", "2");
    KeyCommand expiry = onHash("h", HashOperation.EXPIRY, "a", "b");
    assertThat(
            texts(
                map,
                with(set, later, HashOperation.IF_ALL),
                with(set, later, HashOperation.IF_NONE),
                with(set, later, HashOperation.IF_NONE),
                expiry))
        .containsExactly(
            "Integer 0", "Integer 1", "Integer 0", "Elements [" + later + ", " + later + "]");
    assertThat(
            texts(
                map,
                with(set, Expiry.KEEP, HashOperation.IF_ALL),
                onHash("h", HashOperation.INCREMENT_DECIMAL, "a", "1.5"),
                expiry,
                onHash("h", HashOperation.SET, "a", "5"),
                with(onHash("h", HashOperation.GET_AND_EXPIRE, "b", "none"), Expiry.NONE),
                expiry))
        .containsExactly(
            "Integer 1",
            "Decimal 2.5",
            "Elements [" + later + ", " + later + "]",
            "Integer 0",
            "Elements [2, NOTHING]",
            "Elements [-1, -1]");
    assertThat(
            texts(
                map,
                with(onHash("h", HashOperation.GET_AND_EXPIRE, "b"), past),
                onHash("h", HashOperation.GET_AND_REMOVE, "a", "b"),
                probe("h"),
                with(set, past, 0),
                probe("h")))
        .containsExactly(
            "Elements [2]", "Elements [5, NOTHING]", "MISSING", "Integer 1", "MISSING");
  }

  private static KeyCommand with(KeyCommand.OnCollection command, long... numbers) {
    return new KeyCommand.OnCollection(
        command.key(), command.operation(), command.arguments().with(numbers), command.mostBytes());
  }

  private static KeyCommand.OnCollection onSet(
      String key, SetOperation operation, String... arguments) {
    return new KeyCommand.OnCollection(
        utf8(key),
        operation,
        Arguments.of(Stream.of(arguments).map(Batches::utf8).toList()),
        KeyCommand.MOST_COLLECTION_BYTES);
  }

  @Test
  void keepsASetUnderItsKey() {
    assertThat(
            texts(
                map,
                onSet("s", SetOperation.ADD, "a", "b", "a"),
                onSet("s", SetOperation.ADD, "b", "c"),
                onSet("s", SetOperation.ALL),
                onSet("s", SetOperation.CONTAINS_MANY, "c", "d"),
                onSet("s", SetOperation.REMOVE, "a", "d"),
                onHash("s", HashOperation.SIZE),
                probe("s")))
        .containsExactly(
            "Integer 2",
            "Integer 1",
            "Elements [a, b, c]",
            "Elements [1, 0]",
            "Integer 1",
            "WRONG_TYPE",
            "Info set");
    String random = texts(map, with(onSet("s", SetOperation.RANDOM), -2, 7)).getFirst();
    assertThat(random).matches("Elements \\[[bc], [bc]]");
    List<String> popped =
        texts(
            map,
            with(onSet("s", SetOperation.POP), 1, 3),
            onSet("s", SetOperation.SIZE),
            with(onSet("s", SetOperation.POP), 5, 3),
            probe("s"));
    assertThat(Set.of(popped.get(0), popped.get(2)))
        .isEqualTo(Set.of("Elements [b]", "Elements [c]"));
    assertThat(popped.get(1) + ", " + popped.get(3)).isEqualTo("Integer 1, MISSING");
  }

  @Test
  void aCollectionIsBounded() {
    String value = "v".repeat(1000);
    KeyCommand.OnCollection small =
        new KeyCommand.OnCollection(
            utf8("h"), HashOperation.SET, Arguments.of(utf8("f"), utf8(value)), 100);
    assertThat(texts(map, small, probe("h")))
        .containsExactly(
            "Failure TOO_COSTLY: the hash would take 1009 bytes, more than the limit of 100 bytes"
                + " ('resp.max-collection'); nothing was changed",
            "MISSING");
  }

  // ---- scanning

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 1_000, Integer.MAX_VALUE})
  void aScanListsEveryKey(int count) {
    Set<String> expected = fill(500);
    assertThat(scanAll(map, count, GlobPattern.ANY)).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void aScanOfAnEmptyMapEndsAtOnceOrSoon() {
    assertThat(scanAll(map, 10, GlobPattern.ANY)).isEmpty();
  }

  @Test
  void aScanReturnsAboutAsManyKeysAsAskedFor() {
    fill(1_000);
    ScanPage page = await(map.scan(0, 10, GlobPattern.ANY));
    assertThat(page.keys()).hasSizeBetween(1, 200);
    assertThat(page.cursor()).isNotZero();
  }

  @Test
  void aScanWithACostlyPatternListsWhatMatchesAndOneTooCostlyIsRefused() {
    String key = "a".repeat(1_000);
    for (int i = 0; i < 50; i++) {
      run(map, write(i + key, ""));
    }
    run(map, write(key + "b", ""));
    GlobPattern costly = new GlobPattern(utf8("*" + "a".repeat(50) + "b"));
    assertThat(scanAll(map, 1_000, costly)).containsExactly(key + "b");
    GlobPattern tooCostly = new GlobPattern(utf8("*" + "a".repeat(100) + "c"));
    assertThatThrownBy(() -> await(map.scan(0, 1_000, tooCostly)))
        .hasMessageContaining("the pattern takes more than 65536 steps for a key of 100");
  }

  @Test
  void aScanFiltersByPattern() {
    fill(200);
    run(map, List.of(write("user:1", ""), write("user:22", ""), write("user", "")));
    assertThat(scanAll(map, 20, new GlobPattern(utf8("user:*"))))
        .containsExactlyInAnyOrder("user:1", "user:22");
    assertThat(scanAll(map, 20, new GlobPattern(utf8("user:?")))).containsExactly("user:1");
  }

  @Test
  void aScanListsWhatStaysWhileOtherKeysComeAndGo() {
    Set<String> staying = fill(300);
    run(map, IntStream.range(0, 300).mapToObj(i -> write("going-" + i, "")).toList());
    Set<String> seen = new HashSet<>();
    long cursor = 0;
    int round = 0;
    do {
      ScanPage page = await(map.scan(cursor, 20, GlobPattern.ANY));
      page.keys().forEach(key -> assertThat(seen.add(latin(key))).isTrue());
      cursor = page.cursor();
      List<KeyCommand> changes = new ArrayList<>();
      for (int i = 0; i < 10; i++, round++) {
        changes.add(new Remove(utf8("going-" + (round % 300)), false));
        changes.add(write("coming-" + round, ""));
      }
      if (round < 2_000) {
        run(map, changes);
      }
    } while (cursor != 0);
    assertThat(seen).containsAll(staying);
  }

  @Test
  void aCursorGoesOnAnywhere() {
    Set<String> expected = fill(200);
    Set<String> seen = new HashSet<>();
    long cursor = 0;
    do {
      KeyMap anew = space("acme").map(new MapName(map.name()));
      ScanPage page = await(anew.scan(cursor, 7, GlobPattern.ANY));
      page.keys().forEach(key -> seen.add(latin(key)));
      cursor = page.cursor();
      assertThat(cursor).isBetween(0L, (1L << 53) - 1);
    } while (cursor != 0);
    assertThat(seen).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 12_345, (1L << 53) - 1, 1L << 53, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void aCursorOfNobodysMakingDoesNoHarm(long cursor) {
    Set<String> present = fill(100);
    ScanPage page = await(map.scan(cursor, 10, GlobPattern.ANY));
    assertThat(present).containsAll(page.keys().stream().map(Batches::latin).toList());
    assertThat(page.cursor()).isBetween(0L, (1L << 53) - 1);
  }

  @Test
  void aScanComesUponKeysAtTheirPlaces() {
    Set<String> keys = fill(200);
    run(map, write("\u00e9", ""));
    run(map, Write.of(NO_UTF8, utf8("")));
    keys.add(latin(utf8("\u00e9")));
    keys.add(latin(NO_UTF8));
    for (String key : keys) {
      long place = map.placeOf(key.getBytes(StandardCharsets.ISO_8859_1));
      assertThat(place).isBetween(0L, (1L << 53) - 2);
      assertThat(listed(map.scan(place, 1, GlobPattern.ANY))).as(key).contains(key);
      assertThat(listed(map.scan(place + 1, 1_000, GlobPattern.ANY))).as(key).doesNotContain(key);
    }
  }

  private static List<String> listed(CompletionStage<ScanPage> page) {
    return await(page).keys().stream().map(Batches::latin).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 1_000, Integer.MAX_VALUE})
  void aScanOfAPartGoesOnPageByPage(int count) {
    Set<String> told = new HashSet<>(fill(1_200));
    run(map, IntStream.range(0, 1_200).mapToObj(i -> write("hidden-" + i, "")).toList());
    told.removeIf(key -> key.endsWith("7"));
    List<String> listed = new ArrayList<>();
    long cursor = 0;
    do {
      ScanPage page = await(scanOfTold(cursor, count));
      assertThat(page.keys()).hasSizeLessThan(Math.min(count, GrantedScan.MOST_KEYS) + 10);
      page.keys().forEach(key -> listed.add(latin(key)));
      cursor = page.cursor();
      assertThat(cursor).isBetween(0L, (1L << 53) - 1);
    } while (cursor != 0);
    assertThat(listed).containsExactlyInAnyOrderElementsOf(told);
  }

  @Test
  void cursorsOfAPartTellNothingOfTheRest() {
    fill(300);
    List<Long> alone = cursorsOfTold();
    run(map, IntStream.range(0, 2_000).mapToObj(i -> write("hidden-" + i, "")).toList());
    assertThat(cursorsOfTold()).isEqualTo(alone);
    assertThat(alone).hasSizeGreaterThan(10);
  }

  private List<Long> cursorsOfTold() {
    List<Long> cursors = new ArrayList<>();
    do {
      cursors.add(await(scanOfTold(cursors.isEmpty() ? 0 : cursors.getLast(), 20)).cursor());
    } while (cursors.getLast() != 0);
    return cursors;
  }

  private CompletionStage<ScanPage> scanOfTold(long cursor, int count) {
    return new GrantedScan(
            map,
            count,
            GlobPattern.ANY,
            key -> latin(key).startsWith("key-") && !latin(key).endsWith("7"))
        .from(cursor);
  }

  // ---- the whole map

  @Test
  void countsAndClears() {
    assertThat(await(map.size())).isZero();
    fill(100);
    assertThat(await(map.size())).isEqualTo(100);
    await(map.clear());
    assertThat(await(map.size())).isZero();
    assertThat(scanAll(map, 10, GlobPattern.ANY)).isEmpty();
  }

  @Test
  void picksKeysAtRandom() {
    assertThat(await(map.randomKey())).isEmpty();
    run(map, write("only", "v"));
    assertThat(await(map.randomKey()).map(Batches::latin)).hasValue("only");
    Set<String> present = fill(20);
    present.add("only");
    Set<String> picked = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      await(map.randomKey()).ifPresent(key -> picked.add(latin(key)));
    }
    assertThat(present).containsAll(picked);
    assertThat(picked).as("of 21 keys").hasSizeGreaterThan(10);
  }

  @Test
  void listsTheMapsThatExistAndClearsThemAll() {
    TenantSpace space = space("initech");
    assertThat(await(space.maps())).isEmpty();
    KeyMap one = space.map(new MapName("one"));
    KeyMap two = space.map(MapName.DEFAULT);
    KeyMap foreign = newMap("initech-2");
    run(one, write("k", "1"));
    run(two, write("k", "2"));
    run(foreign, write("k", "3"));
    assertThat(await(space.maps())).containsExactly("default", "one");
    await(space.clear());
    assertThat(texts(one, read("k"))).containsExactly("MISSING");
    assertThat(texts(two, read("k"))).containsExactly("MISSING");
    assertThat(texts(foreign, read("k"))).containsExactly("Entry 3");
  }

  @Test
  void mapsOfOneNameBelongToTheirTenants() {
    KeyMap ours = space("acme").map(new MapName("orders"));
    KeyMap theirs = space("globex").map(new MapName("orders"));
    assertThat(ours.name()).isEqualTo("orders");
    run(ours, write("k", "ours"));
    run(theirs, write("k", "theirs"));
    assertThat(texts(ours, read("k"))).containsExactly("Entry ours");
    await(theirs.clear());
    assertThat(texts(ours, read("k"))).containsExactly("Entry ours");
  }

  private Set<String> fill(int count) {
    List<Write> writes =
        IntStream.range(0, count).mapToObj(i -> write("key-" + i, "" + i)).toList();
    run(map, writes);
    Set<String> keys = new HashSet<>();
    writes.forEach(w -> keys.add(latin(w.key())));
    return keys;
  }

  /** Every key that a whole scan lists, as often as it does. */
  protected static List<String> scanAll(KeyMap map, int count, GlobPattern match) {
    List<String> keys = new ArrayList<>();
    long cursor = 0;
    do {
      ScanPage page = await(map.scan(cursor, count, match));
      page.keys().forEach(key -> keys.add(latin(key)));
      cursor = page.cursor();
    } while (cursor != 0);
    return keys;
  }
}
