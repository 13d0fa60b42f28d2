package io.keyvalueserve.engine.rdb;

import static io.keyvalueserve.engine.rdb.OldEncodings.compressed;
import static io.keyvalueserve.engine.rdb.OldEncodings.intset;
import static io.keyvalueserve.engine.rdb.OldEncodings.joined;
import static io.keyvalueserve.engine.rdb.OldEncodings.length;
import static io.keyvalueserve.engine.rdb.OldEncodings.listpack;
import static io.keyvalueserve.engine.rdb.OldEncodings.payload;
import static io.keyvalueserve.engine.rdb.OldEncodings.string;
import static io.keyvalueserve.engine.rdb.OldEncodings.textScore;
import static io.keyvalueserve.engine.rdb.OldEncodings.ziplist;
import static io.keyvalueserve.engine.rdb.OldEncodings.zipmap;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.keyvalueserve.engine.collection.Bytes;
import io.keyvalueserve.engine.collection.CollectionPacker;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.PackedElements;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: collections are read from every encoding of Redis up to 7.2, and no bytes of a client do
 * harm. Method: bytes noted from Redis, bytes of small writers, damage at random. {@code
 * DumpsDifferentialTest} compares with a running Redis.
 */
class RdbCollectionTest {
  private static final int MOST = 1 << 20;
  private static final long NOW = 1_000_000;

  /** Elements that encodings pack in different ways. */
  private static final List<byte[]> ELEMENTS =
      latin(
          "",
          "a",
          "0",
          "12",
          "13",
          "-1",
          "127",
          "128",
          "-4096",
          "-4097",
          "32767",
          "-32769",
          "8388607",
          "-8388609",
          "2147483647",
          "-2147483649",
          "9223372036854775807",
          "-9223372036854775808",
          "\u0000\u00ff\r\n",
          "s".repeat(63),
          "s".repeat(64),
          "s".repeat(253),
          "s".repeat(4_095),
          "s".repeat(4_096),
          "s".repeat(16_382),
          "s".repeat(16_384),
          "after");

  @Test
  void readsListsOfEveryEncoding() throws RdbException {
    int half = ELEMENTS.size() / 2;
    List<byte[]> first = ELEMENTS.subList(0, half);
    List<byte[]> second = ELEMENTS.subList(half, ELEMENTS.size());
    List<String> expected = ELEMENTS.stream().map(RdbCollectionTest::text).toList();
    assertThat(read(plain(1, ELEMENTS))).isEqualTo(expected);
    assertThat(read(payload(10, string(ziplist(ELEMENTS))))).isEqualTo(expected);
    assertThat(read(payload(10, compressed(ziplist(ELEMENTS))))).isEqualTo(expected);
    assertThat(
            read(
                payload(
                    14,
                    length(3),
                    string(ziplist(first)),
                    string(ziplist(List.of())),
                    compressed(ziplist(second)))))
        .isEqualTo(expected);
    byte[] large = ELEMENTS.get(half);
    assertThat(
            read(
                payload(
                    18,
                    length(3),
                    length(2),
                    compressed(listpack(first)),
                    length(1),
                    string(large),
                    length(2),
                    string(listpack(second.subList(1, second.size()))))))
        .isEqualTo(expected);
  }

  @Test
  void readsSetsOfEveryEncoding() throws RdbException {
    List<String> expected = ELEMENTS.stream().map(RdbCollectionTest::text).toList();
    assertThat(read(plain(2, ELEMENTS))).isEqualTo(expected);
    assertThat(read(payload(20, string(listpack(ELEMENTS))))).isEqualTo(expected);
    assertThat(read(payload(11, string(intset(-5, 0, 32_767)))))
        .containsExactly("-5", "0", "32767");
    assertThat(read(payload(11, string(intset(-40_000, 7))))).containsExactly("-40000", "7");
    assertThat(read(payload(11, string(intset(Long.MIN_VALUE, Long.MAX_VALUE)))))
        .containsExactly("-9223372036854775808", "9223372036854775807");
  }

  @Test
  void readsHashesOfEveryEncoding() throws RdbException {
    List<byte[]> pairs = ELEMENTS.subList(0, ELEMENTS.size() / 2 * 2);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i += 2) {
      expected.add(text(pairs.get(i)) + "=" + text(pairs.get(i + 1)));
    }
    byte[][] strings = pairs.stream().map(OldEncodings::string).toArray(byte[][]::new);
    assertThat(read(payload(4, length(pairs.size() / 2), joined(strings)))).isEqualTo(expected);
    assertThat(read(payload(13, string(ziplist(pairs))))).isEqualTo(expected);
    assertThat(read(payload(16, string(listpack(pairs))))).isEqualTo(expected);
    assertThat(read(payload(9, string(zipmap(pairs, 0))))).isEqualTo(expected);
    assertThat(read(payload(9, compressed(zipmap(pairs, 3))))).isEqualTo(expected);
  }

  @Test
  void readsSortedSetsOfEveryEncoding() throws RdbException {
    List<String> expected =
        List.of(
            "g=-Infinity", "f=-2.5", "b=-0.0", "c=4.9E-324", "a=1.0", "d=1.0E300", "e=Infinity");
    byte[] binary = joined(length(7));
    String[] members = {"a", "b", "c", "d", "e", "f", "g"};
    double[] scores = {
      1, -0.0, Double.MIN_VALUE, 1e300, Double.POSITIVE_INFINITY, -2.5, Double.NEGATIVE_INFINITY
    };
    for (int i = 0; i < members.length; i++) {
      byte[] score = OldEncodings.little(Double.doubleToRawLongBits(scores[i]), Double.BYTES);
      binary = joined(binary, string(members[i].getBytes(ISO_8859_1)), score);
    }
    assertThat(read(payload(5, binary))).isEqualTo(expected);
    String[] texts = {"1", "-0", "4.9406564584124654e-324", "1e+300", "inf", "-2.5", "-inf"};
    List<byte[]> pairs = new ArrayList<>();
    byte[] text = length(7);
    for (int i = 0; i < members.length; i++) {
      pairs.addAll(latin(members[i], texts[i]));
      byte[] score =
          switch (texts[i]) {
            case "inf" -> new byte[] {(byte) 254};
            case "-inf" -> new byte[] {(byte) 255};
            default -> textScore(texts[i]);
          };
      text = joined(text, string(members[i].getBytes(ISO_8859_1)), score);
    }
    assertThat(read(payload(3, text))).isEqualTo(expected);
    assertThat(read(payload(12, string(ziplist(pairs))))).isEqualTo(expected);
    assertThat(read(payload(17, string(listpack(pairs))))).isEqualTo(expected);
  }

  /** Noted from Redis 7.0.15, with {@code DEBUG QUICKLIST-PACKED-THRESHOLD 3b}. */
  @Test
  void readsBytesNotedFromRedis() throws RdbException {
    byte[] list =
        bytes("1202020c0c00000002008161020101ff01066c6f6e6765720a001ee0d5a5" + "53bd8d2e");
    byte[] hash = bytes("101414000000040081660201018167028374776f04ff0a00e318742b61db" + "6fdf");
    assertThat(read(list)).containsExactly("a", "1", "longer");
    assertThat(read(hash)).containsExactly("f=1", "g=two");
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  @Test
  void putsSortedSetsInOrderSomeAtATime() throws RdbException {
    Random random = new Random(3);
    int count = 5_000;
    CollectionPacker packer = new CollectionPacker(CollectionType.SORTED_SET, MOST);
    for (int i = 0; i < count; i++) {
      byte[] member = ("m" + i * 7_919 % count).getBytes(ISO_8859_1);
      assertThat(packer.put(Bytes.of(member), random.nextInt(50) - 25))
          .isEqualTo(CollectionPacker.Added.NEW);
      assertThat(packer.put(Bytes.of(member), 1)).isEqualTo(CollectionPacker.Added.DUPLICATE);
    }
    int steps = 1;
    while (!packer.run(100)) {
      steps++;
    }
    assertThat(steps).isGreaterThan(500);
    PackedElements elements = new PackedElements(CollectionType.SORTED_SET, packer.packed());
    assertThat(elements.next()).isTrue();
    int seen = 1;
    double score = elements.score();
    Bytes member = elements.name();
    while (elements.next()) {
      assertThat(
              score < elements.score()
                  || (score == elements.score() && member.compareTo(elements.name()) < 0))
          .isTrue();
      score = elements.score();
      member = elements.name();
      seen++;
    }
    assertThat(seen).isEqualTo(count);
  }

  @Test
  void writesWhatItReads() throws RdbException {
    for (byte[] payload : valid()) {
      RdbCollectionReader reader = reader(payload, MOST);
      finish(reader);
      byte[] dump = dump(reader.type(), reader.packed());
      assertThat(read(dump)).isEqualTo(read(payload));
    }
  }

  @Test
  void refusesWhatIsNoCollection() {
    for (byte[] bad :
        List.of(
            payload(1, length(0)),
            payload(1, length(2), string(new byte[1])),
            payload(2, length(2), string(new byte[1]), string(new byte[1])),
            payload(4, length(1), string(new byte[1])),
            payload(
                4,
                length(2),
                joined(
                    Stream.of("a", "b", "a", "c")
                        .map(RdbCollectionTest::packed)
                        .toArray(byte[][]::new))),
            payload(4, length(Long.MAX_VALUE), string(new byte[1]), string(new byte[1])),
            payload(3, length(1), string(new byte[1]), new byte[] {(byte) 253}),
            payload(3, length(1), string(new byte[1]), textScore("1x")),
            payload(3, length(1), string(new byte[1]), textScore("")),
            payload(5, length(1), string(new byte[1]), OldEncodings.little(-1, Long.BYTES)),
            payload(9, string(zipmap(latin("a", "1", "a", "2"), 0))),
            payload(9, string(zipmap(List.of(), 0))),
            payload(10, string(ziplist(List.of()))),
            payload(11, string(intset(2, 1))),
            payload(11, string(intset(1, 1))),
            payload(11, string(intset())),
            payload(12, string(ziplist(latin("a", "nan")))),
            payload(12, string(ziplist(latin("a")))),
            payload(13, string(ziplist(latin("a", "1", "b")))),
            payload(14, length(1), string(ziplist(List.of()))),
            payload(16, string(listpack(latin("a", "1", "a", "1")))),
            payload(17, string(listpack(latin("a", "1", "a", "2")))),
            payload(18, length(1), length(3), string(listpack(latin("a")))),
            payload(20, string(listpack(latin("a", "a")))),
            payload(8, length(1), string(new byte[1])),
            payload(22, length(1), string(new byte[1])))) {
      assertThatThrownBy(() -> read(bad))
          .as(HexFormat.of().formatHex(bad))
          .isExactlyInstanceOf(RdbException.class);
    }
    for (int type : new int[] {6, 7, 15, 19, 21}) {
      assertThatThrownBy(() -> read(payload(type, length(1))))
          .isInstanceOf(RdbRefusedException.class)
          .hasMessageStartingWith("Bad data format: the value is ");
    }
  }

  @Test
  void refusesWhatIsTooLarge() {
    byte[] large = new byte[1_000];
    for (byte[] payload :
        List.of(
            payload(1, length(1), string(large)),
            payload(1, length(1), compressed(large)),
            payload(10, string(ziplist(List.of(large)))),
            payload(18, length(1), length(1), compressed(large)),
            payload(16, compressed(new byte[100_000])))) {
      assertThatThrownBy(() -> finish(reader(payload, 500)))
          .isInstanceOf(RdbRefusedException.class)
          .hasMessageMatching(
              "the \\w+ would take more than the limit of 500 bytes \\('resp.max-collection'\\);"
                  + " nothing was changed");
    }
  }

  /** Damaged payloads end in an error or in a valid collection, with little memory. */
  @Test
  void damageDoesNoHarm() throws RdbException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    List<byte[]> all = valid();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long deadline = System.nanoTime() + Duration.ofSeconds(4).toNanos();
    int refused = 0;
    int taken = 0;
    while (System.nanoTime() < deadline) {
      byte[] payload = damaged(all.get(random.nextInt(all.size())), random);
      String what = "seed=" + seed + " bytes=" + HexFormat.of().formatHex(payload);
      long before = threads.getCurrentThreadAllocatedBytes();
      try {
        RdbCollectionReader reader = reader(payload, 1 << 15);
        while (!reader.run(1_000)) {
          assertThat(reader.heldBytes()).as(what).isLessThan(1 << 20);
        }
        requireValid(reader.type(), reader.packed(), what);
        taken++;
      } catch (RdbException e) {
        refused++;
      } catch (RuntimeException | OutOfMemoryError e) {
        throw new AssertionError(what, e);
      }
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).as(what).isLessThan(16L << 20);
    }
    assertThat(refused).isGreaterThan(1_000);
    assertThat(taken).isGreaterThan(100);
  }

  private static byte[] damaged(byte[] payload, Random random) {
    byte[] damaged = payload;
    for (int i = random.nextInt(3); i >= 0; i--) {
      int body = Math.max(damaged.length - Rdb.FOOTER_BYTES, 1);
      // the lengths are in front
      int at = random.nextBoolean() ? random.nextInt(body) : random.nextInt(Math.min(body, 30));
      switch (random.nextInt(6)) {
        case 0 -> damaged = joined(Arrays.copyOf(damaged, at), tail(damaged, at + 1));
        case 1 ->
            damaged =
                joined(
                    Arrays.copyOf(damaged, at),
                    new byte[] {(byte) random.nextInt()},
                    tail(damaged, at));
        case 2 -> damaged = joined(Arrays.copyOf(damaged, at), tail(damaged, body));
        case 3 -> {
          damaged = damaged.clone();
          damaged[at] ^= (byte) (1 << random.nextInt(8));
        }
        case 4 -> {
          damaged = damaged.clone();
          damaged[at] = (byte) new int[] {0, 0xff, 0xfe, 0x80, 0x81, 0xc3}[random.nextInt(6)];
        }
        default -> {
          damaged = damaged.clone();
          damaged[at] = (byte) random.nextInt();
        }
      }
    }
    return OldEncodings.mended(
        OldEncodings.sealed(
            Arrays.copyOf(damaged, Math.max(damaged.length - Rdb.FOOTER_BYTES, 1))));
  }

  private static byte[] tail(byte[] bytes, int from) {
    return Arrays.copyOfRange(bytes, Math.min(from, bytes.length), bytes.length);
  }

  private static void requireValid(CollectionType type, byte[] packed, String what) {
    PackedElements elements = new PackedElements(type, packed);
    assertThat(elements.count()).as(what).isPositive();
    Set<Bytes> names = new HashSet<>();
    double score = Double.NEGATIVE_INFINITY;
    while (elements.next()) {
      boolean isNew = names.add(elements.name());
      assertThat(isNew || type == CollectionType.LIST).as(what).isTrue();
      assertThat(type != CollectionType.SORTED_SET || elements.score() >= score).as(what).isTrue();
      score = elements.score();
    }
  }

  /** Payloads of every encoding. */
  private static List<byte[]> valid() {
    List<byte[]> few = ELEMENTS.subList(0, 20);
    List<byte[]> scored = latin("a", "1", "b", "-2.5", "c", "1e+300", "d", "inf", "", "0");
    byte[] binary = length(2);
    for (String member : new String[] {"z", "y"}) {
      binary = joined(binary, packed(member), OldEncodings.little(0, Long.BYTES));
    }
    List<byte[]> repeated = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      repeated.add(new byte[0]);
    }
    return List.of(
        plain(1, few),
        plain(2, few),
        payload(3, length(1), packed("m"), textScore("-2.5")),
        payload(4, length(2), packed("a"), packed("1"), packed("b"), packed("2")),
        payload(5, binary),
        payload(9, string(zipmap(latin("a", "1", "b", "2"), 1))),
        payload(10, string(ziplist(few))),
        payload(10, compressed(ziplist(few))),
        payload(11, string(intset(-5, 0, 32_767))),
        payload(11, string(intset(-5, 0, Long.MAX_VALUE))),
        payload(12, string(ziplist(scored))),
        payload(13, string(ziplist(few))),
        payload(14, length(2), string(ziplist(few)), compressed(ziplist(few))),
        payload(16, string(listpack(few))),
        payload(17, string(listpack(scored))),
        payload(18, length(2), length(2), compressed(listpack(few)), length(1), packed("x")),
        payload(18, length(1), length(2), compressed(listpack(repeated))),
        payload(20, string(listpack(few))));
  }

  private static byte[] plain(int type, List<byte[]> elements) {
    byte[][] strings = elements.stream().map(OldEncodings::string).toArray(byte[][]::new);
    return payload(type, length(elements.size()), joined(strings));
  }

  private static byte[] packed(String text) {
    return string(text.getBytes(ISO_8859_1));
  }

  private static List<byte[]> latin(String... texts) {
    return Stream.of(texts).map(text -> text.getBytes(ISO_8859_1)).toList();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  private static String text(Bytes bytes) {
    return text(bytes.toArray());
  }

  private static RdbCollectionReader reader(byte[] payload, int most) throws RdbException {
    RdbReader in = new RdbReader(payload, MOST);
    assertThat(in.hasChecksum(Crc64.update(0, payload, 0, in.checkedBytes()))).isTrue();
    return new RdbCollectionReader(in, in.type(), most);
  }

  private static void finish(RdbCollectionReader reader) throws RdbException {
    while (!reader.run(100)) {
      Thread.onSpinWait();
    }
  }

  private static List<String> read(byte[] payload) throws RdbException {
    RdbCollectionReader reader = reader(payload, MOST);
    finish(reader);
    PackedElements elements = new PackedElements(reader.type(), reader.packed());
    List<String> all = new ArrayList<>();
    while (elements.next()) {
      all.add(
          switch (reader.type()) {
            case LIST, SET -> text(elements.name());
            case HASH -> text(elements.name()) + "=" + text(elements.value());
            case SORTED_SET -> text(elements.name()) + "=" + elements.score();
          });
    }
    assertThat(all).hasSize(elements.count());
    return all;
  }

  private static byte[] dump(CollectionType type, byte[] packed) throws RdbException {
    RdbWriter out = new RdbWriter(0);
    RdbCollectionWriter writer = new RdbCollectionWriter(out, type, packed, NOW);
    while (!writer.run(100)) {
      Thread.onSpinWait();
    }
    assertThat(writer.isEmpty()).isFalse();
    out.version();
    out.checksum(Crc64.update(0, out.array(), 0, out.written()));
    return Arrays.copyOf(out.array(), out.written());
  }
}
