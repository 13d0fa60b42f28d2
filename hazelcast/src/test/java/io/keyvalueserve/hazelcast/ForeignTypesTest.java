package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.query.Predicates;
import com.hazelcast.query.impl.predicates.LikePredicate;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: what clients have reason to send is taken; Hazelcast's own objects, by whatever way, not.
 */
class ForeignTypesTest {
  private static final InternalSerializationService SERIALIZATION =
      new DefaultSerializationServiceBuilder().build();
  private static final int OWN_FACTORY = 4711;
  private static final int MAPS = com.hazelcast.map.impl.MapDataSerializerHook.F_ID;
  private static final int PREDICATES =
      com.hazelcast.query.impl.predicates.PredicateDataSerializerHook.F_ID;

  private final ForeignTypes types;

  ForeignTypesTest() throws Exception {
    types = new ForeignTypes(ForeignTypesTest.class.getClassLoader(), Set.of(OWN_FACTORY));
  }

  private boolean isForeign(byte[] bytes) {
    byte[] among = new byte[bytes.length + 7];
    System.arraycopy(bytes, 0, among, 5, bytes.length);
    boolean foreign = types.isForeign(among, 5, bytes.length);
    assertThat(types.isForeign(bytes, 0, bytes.length)).isEqualTo(foreign);
    return foreign;
  }

  static List<Object> whatClientsSend() {
    Map<String, Integer> sorted = new TreeMap<>(Comparator.reverseOrder());
    sorted.put("a", 1);
    return List.of(
        "text",
        7,
        new UUID(1, 2),
        new byte[0],
        new byte[1_000],
        new int[] {1, 2, 3},
        new ArrayList<>(Arrays.asList("a", null, 1L)),
        new ArrayList<>(),
        new HashMap<>(Map.of("k", "v")),
        new ArrayDeque<>(List.of(1)),
        new CopyOnWriteArrayList<>(List.of("x")),
        new ArrayBlockingQueue<>(1_000),
        sorted,
        Predicates.and(Predicates.equal("this", 1), Predicates.like("this", "a%")));
  }

  @ParameterizedTest
  @MethodSource("whatClientsSend")
  void takesWhatClientsSend(Object value) {
    assertThat(isForeign(SERIALIZATION.toData(value).toByteArray())).isFalse();
  }

  @Test
  void takesArrays() {
    for (Object[] array :
        new Object[][] {{}, {"a", 1}, new String[] {"", "b"}, {Locale.ROOT}, new UUID[3]}) {
      assertThat(isForeign(SERIALIZATION.toData(array).toByteArray())).isFalse();
    }
  }

  private static ByteBuffer head(int type) {
    return ByteBuffer.allocate(200).putInt(0).putInt(type);
  }

  private static byte[] bytes(ByteBuffer written) {
    byte[] bytes = new byte[written.position()];
    written.get(0, bytes);
    return bytes;
  }

  @Test
  void factoriesAreKnownByNumber() {
    assertThat(isForeign(bytes(head(-2).put((byte) 1).putInt(OWN_FACTORY).putInt(0)))).isTrue();
    assertThat(isForeign(bytes(head(-2).put((byte) 1).putInt(MAPS).putInt(0)))).isTrue();
    assertThat(isForeign(bytes(head(-2).put((byte) 1).putInt(PREDICATES).putInt(0)))).isFalse();
    assertThat(isForeign(bytes(head(-2).put((byte) 1).putInt(815).putInt(0)))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.hazelcast.executor.impl.RunnableAdapter",
        "com.hazelcast.query.impl.predicates.LikePredicate",
        "io.keyvalueserve.hazelcast.ReadMessage",
        "io.keyvalueserve.maps.MergeChanges",
        "io.keyvalueserve.grid.space.KeyWriteBatch"
      })
  void classesAreKnownByName(String name) {
    byte[] text = name.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    assertThat(isForeign(bytes(head(-2).put((byte) 0).putInt(text.length).put(text)))).isTrue();
    assertThat(isForeign(bytes(head(-101).putInt(text.length).put(text)))).isTrue();
    byte[] users = ("org.example." + name).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    assertThat(isForeign(bytes(head(-2).put((byte) 0).putInt(users.length).put(users)))).isFalse();
  }

  @Test
  void classesOfJavaObjectsAreKnownToo() throws Exception {
    assertThat(isForeign(javaObject(new LikePredicate("this", "%")))).isTrue();
    assertThat(isForeign(javaObject(Locale.ROOT))).isFalse();
  }

  private static byte[] javaObject(Object value) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(bytes(head(-100)));
    try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
      objects.writeObject(value);
    }
    return out.toByteArray();
  }

  @Test
  void collectionsOfRedisClientsAreRefused() {
    for (int type = -9000; type >= -9005; type--) {
      byte[] bytes = ByteBuffer.allocate(20).putInt(4, type).array();
      assertThat(isForeign(bytes)).as("%d", type).isEqualTo(type < -9000 && type > -9005);
    }
  }

  @Test
  void elementsThatAreOnlyNamedAreRefused() {
    for (int type :
        new int[] {-12, -13, -14, -15, -16, -17, -18, -19, -20, -28, -29, -31, -32, -34}) {
      assertThat(isForeign(bytes(head(type).putInt(0x10000000)))).as("type %d", type).isTrue();
      assertThat(isForeign(bytes(head(type).putInt(Integer.MAX_VALUE).put(new byte[50])))).isTrue();
    }
    assertThat(isForeign(bytes(head(-44).putInt(0).putInt(0x10000000)))).isTrue();
  }
}
