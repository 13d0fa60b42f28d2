package io.keyvalueserve.maps.readable;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.projection.Projections;
import com.hazelcast.query.Predicates;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: plain values and public queries are readable; what can do or cost anything else is not. */
class ValueCheckTest {
  private static final InternalSerializationService SERIALIZATION =
      new DefaultSerializationServiceBuilder().build();
  private static final ReadableTypes TYPES = new ReadableTypes(Extensions.NONE);

  private static void check(byte[] bytes) {
    ValueCheck.check(TYPES, null, bytes, 0, bytes.length);
  }

  private static byte[] bytes(Object value) {
    return SERIALIZATION.toData(value).toByteArray();
  }

  /** A list that is sent by Java's own serialization. */
  private static Object streamed(Object... elements) {
    return Collections.unmodifiableList(new ArrayList<>(Arrays.asList(elements)));
  }

  @SuppressWarnings("JavaUtilDate") // clients send them
  static List<Object> plainValues() {
    return List.of(
        "text",
        1,
        2L,
        1.5,
        true,
        'c',
        new UUID(1, 2),
        new Date(3),
        new BigInteger("12345678901234567890"),
        new BigDecimal("1.25"),
        LocalDate.EPOCH,
        LocalTime.NOON,
        LocalDateTime.of(2020, 1, 1, 1, 1),
        OffsetDateTime.parse("2020-01-01T00:00:00Z"),
        Instant.EPOCH,
        Duration.ofDays(1),
        ZonedDateTime.of(LocalDateTime.of(2020, 1, 1, 1, 1), ZoneId.of("Europe/Berlin")),
        TimeUnit.DAYS,
        new int[] {1, 2},
        new String[] {"a", "b"},
        new Object[] {"a", 1, List.of("b")},
        new ArrayList<>(List.of("a", 1L)),
        new ArrayDeque<>(List.of(1)),
        new CopyOnWriteArrayList<>(List.of("x")),
        new ArrayBlockingQueue<>(10),
        new HashMap<>(Map.of("k", List.of("v"))),
        new LinkedHashMap<>(Map.of("k", 1)),
        new TreeMap<>(Map.of("k", 1)),
        new TreeSet<>(Collections.reverseOrder()),
        new PriorityQueue<>(List.of(3, 1)),
        new HashSet<>(List.of("a")),
        Set.of("a", "b"),
        Map.of("a", 1),
        Collections.emptyList(),
        Collections.unmodifiableList(new ArrayList<>(List.of(1))),
        Arrays.asList("a", "b"),
        streamed(new BigDecimal("1.1"), "b"),
        BitSet.valueOf(new long[] {7}),
        Optional.of("x"),
        new HazelcastJsonValue("{\"a\":1}"));
  }

  @ParameterizedTest
  @MethodSource("plainValues")
  void readsPlainValues(Object value) {
    assertThatCode(() -> check(bytes(value))).doesNotThrowAnyException();
  }

  static List<Object> queries() {
    return List.of(
        Predicates.sql("a = 1 and b like 'x%'"),
        Predicates.and(Predicates.equal("this", 1), Predicates.like("this", "a%")),
        Predicates.or(Predicates.in("a", 1, 2, 3), Predicates.not(Predicates.ilike("b", "_"))),
        Predicates.between("a", 1, 5),
        Predicates.greaterEqual("a", "x"),
        Predicates.notEqual("a", new UUID(1, 1)),
        Predicates.regex("a", "x.*"),
        Predicates.instanceOf(String.class),
        Predicates.instanceOf(HazelcastJsonValue.class),
        Predicates.alwaysTrue(),
        Predicates.alwaysFalse(),
        Predicates.partitionPredicate("key", Predicates.alwaysTrue()),
        Aggregators.count(),
        Aggregators.distinct("a"),
        Aggregators.bigDecimalAvg("a"),
        Aggregators.comparableMax("a"),
        Aggregators.maxBy("a"),
        Aggregators.integerSum("a"),
        Aggregators.doubleAvg("a"),
        Projections.singleAttribute("a"),
        Projections.multiAttribute("a", "b"),
        Projections.identity());
  }

  @ParameterizedTest
  @MethodSource("queries")
  void readsPublicQueries(Object query) {
    assertThatCode(() -> check(bytes(query))).doesNotThrowAnyException();
  }

  /** Sets within sets, each twice in the one around it: 2^100 steps to hash. */
  static Object exponentialSets() {
    Set<Object> root = new HashSet<>();
    Set<Object> one = root;
    Set<Object> two = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Set<Object> next = new HashSet<>();
      Set<Object> other = new HashSet<>();
      next.add("x");
      one.add(next);
      one.add(other);
      two.add(next);
      two.add(other);
      one = next;
      two = other;
    }
    return root;
  }

  /** As bytes: what some of them are called would take for ever to say. */
  static List<byte[]> harmful() throws Exception {
    return harmfulValues().stream().map(ValueCheckTest::bytes).toList();
  }

  private static List<Object> harmfulValues() throws Exception {
    List<Object> lists = new ArrayList<>();
    List<Object> deep = lists;
    for (int i = 0; i < 100; i++) {
      List<Object> inner = new ArrayList<>();
      deep.add(inner);
      deep = inner;
    }
    return List.of(
        URI.create("http://tenant.example/").toURL(),
        new HashMap<>(Map.of("site", URI.create("http://tenant.example/").toURL())),
        new ArrayList<>(List.of(new Gadget())),
        streamed(new Gadget()),
        Predicates.equal("this", new Gadget()),
        Predicates.in("this", 1, new Gadget()),
        (Supplier<String> & Serializable) () -> "a lambda",
        new ClientConfig().getClass(),
        new IllegalStateException("an exception is none of a tenant's values"),
        lists,
        streamed(exponentialSets()),
        new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE),
        streamed(new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE)),
        new BigInteger(new byte[10_000]).setBit(70_000),
        Predicates.instanceOf(ClientConfig.class));
  }

  @ParameterizedTest
  @MethodSource("harmful")
  void refusesWhatCanDoOrCostMore(byte[] bytes) {
    assertThatThrownBy(() -> check(bytes)).isInstanceOf(UnreadableException.class);
  }

  private record Gadget(String text) implements Comparable<Gadget>, Serializable {
    Gadget() {
      this("gadget");
    }

    @Override
    public int compareTo(Gadget other) {
      return text.compareTo(other.text);
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        -11, -12, -13, -14, -15, -16, -17, -18, -19, -20, -26, -27, -28, -29, -30, -31, -32, -34,
        -35, -37, -39, -40, -42, -43, -44, -48, -102, -130
      })
  void refusesElementsThatAreOnlyNamed(int type) {
    for (int count : new int[] {Integer.MAX_VALUE, 0x10000000, 1000, -2}) {
      byte[] top = ByteBuffer.allocate(16).putInt(0).putInt(type).putInt(count).array();
      assertThatThrownBy(() -> check(top)).isInstanceOf(UnreadableException.class);
      byte[] nested =
          ByteBuffer.allocate(24)
              .putInt(0)
              .putInt(-29)
              .putInt(1)
              .putInt(type)
              .putInt(count)
              .array();
      assertThatThrownBy(() -> check(nested)).isInstanceOf(UnreadableException.class);
    }
  }

  @Test
  void refusesAJavaArrayThatIsOnlyNamed() throws Exception {
    byte[] bytes = bytes(streamed(new long[1]));
    int size = lastIndexOf(bytes, new byte[] {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
    ByteBuffer.wrap(bytes).putInt(size, Integer.MAX_VALUE);
    assertThatThrownBy(() -> check(bytes)).isInstanceOf(UnreadableException.class);
  }

  private static int lastIndexOf(byte[] bytes, byte[] part) {
    for (int at = bytes.length - part.length; at >= 0; at--) {
      if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    throw new AssertionError("the part is not there");
  }

  /** Whatever bytes come: an end, within bounds, and no other exception. */
  @Test
  void endsOnAnyBytes() throws Exception {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    List<byte[]> seeds = new ArrayList<>(harmful());
    plainValues().forEach(value -> seeds.add(bytes(value)));
    queries().forEach(value -> seeds.add(bytes(value)));
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      int length = random.nextInt(8) == 0 ? random.nextInt(bytes.length) : bytes.length;
      byte[] cut = Arrays.copyOf(bytes, length);
      try {
        check(cut);
      } catch (UnreadableException _) {
        // as it should
      } catch (RuntimeException e) {
        throw new AssertionError("seed=" + seed + " bytes=" + Arrays.toString(cut), e);
      }
    }
  }

  @Test
  void theFilterBehindItRefusesTheSameClasses() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
      objects.writeObject(new ArrayList<>(List.of(URI.create("http://tenant.example/").toURL())));
    }
    byte[] bytes = out.toByteArray();
    try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      objects.setObjectInputFilter(StreamFilters.ofTenant(TYPES, bytes.length));
      assertThatThrownBy(objects::readObject).isInstanceOf(InvalidClassException.class);
    }
  }
}
