package io.keyvalueserve.bench;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Serialized values that cost a reader more than their bytes: heads of every type, elements that
 * are only named, collections in each other, and Java serialization streams of public, harmless
 * classes. Thread-safe.
 *
 * <pre>
 *   value    partition hash (4), type (4), content          big-endian
 *   nested   type (4), content
 * </pre>
 */
final class HostileValues {
  private static final int HEAD = 8;

  private static final List<Integer> ARRAYS =
      List.of(
          SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY,
          SerializationConstants.CONSTANT_TYPE_BOOLEAN_ARRAY,
          SerializationConstants.CONSTANT_TYPE_CHAR_ARRAY,
          SerializationConstants.CONSTANT_TYPE_INTEGER_ARRAY,
          SerializationConstants.CONSTANT_TYPE_LONG_ARRAY,
          SerializationConstants.CONSTANT_TYPE_DOUBLE_ARRAY,
          SerializationConstants.CONSTANT_TYPE_STRING_ARRAY,
          SerializationConstants.CONSTANT_TYPE_STRING,
          SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY,
          SerializationConstants.JAVA_DEFAULT_TYPE_BIG_INTEGER);

  private static final List<Integer> COLLECTIONS =
      List.of(
          SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_LIST,
          SerializationConstants.JAVA_DEFAULT_TYPE_LINKED_LIST,
          SerializationConstants.JAVA_DEFAULT_TYPE_HASH_SET,
          SerializationConstants.JAVA_DEFAULT_TYPE_LINKED_HASH_SET,
          SerializationConstants.JAVA_DEFAULT_TYPE_HASH_MAP,
          SerializationConstants.JAVA_DEFAULT_TYPE_CONCURRENT_HASH_MAP,
          SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_DEQUE,
          SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_BLOCKING_QUEUE,
          SerializationConstants.JAVA_DEFAULT_TYPE_OPTIONAL);

  private final InternalSerializationService serialization =
      new DefaultSerializationServiceBuilder().build();
  private final byte[] sets;
  private final byte[] shallowSets = java(nestedSets(6));
  private final byte[] arrays;
  private final byte[] addresses = java(addresses());
  private final byte[] pattern = java(Pattern.compile("(a+)+b"));

  HostileValues(HostileForce force) {
    sets = java(nestedSets(force.depth()));
    arrays = java(nestedArrays(10 * force.depth()));
  }

  /** Draws a key or a value. */
  Data value(HostileDice dice) {
    return switch (dice.below(8)) {
      case 0, 1, 2 -> serialization.toData(dice.text(60));
      case 3 -> of(head(dice));
      case 4 -> of(claim(dice));
      case 5 -> of(nested(dice));
      case 6 -> of(identified(dice));
      default -> of(javaStream(dice));
    };
  }

  /** Draws a predicate, or what is none. */
  Data predicate(HostileDice dice) {
    if (dice.chance(0.4)) {
      return value(dice);
    }
    byte[] bytes = serialization.toBytes(reasonable(dice));
    return new HeapData(dice.chance(0.5) ? bytes : withWrongNumber(bytes, dice));
  }

  private static Predicate<Object, Object> reasonable(HostileDice dice) {
    return switch (dice.below(7)) {
      case 0 -> Predicates.like("this", "%a".repeat(1 + dice.below(30)) + "b");
      case 1 -> Predicates.regex("this", "(a+)+".repeat(1 + dice.below(3)) + "b");
      case 2 -> Predicates.sql("this = '" + "(".repeat(dice.below(100)) + "'");
      case 3 -> Predicates.in("__key", 1, 2, 3);
      case 4 -> Predicates.equal("a.b.c[any].d", "x");
      case 5 -> inEachOther(dice.below(dice.force().depth()));
      default -> Predicates.between("this", "a", "z");
    };
  }

  private static Predicate<Object, Object> inEachOther(int depth) {
    Predicate<Object, Object> all = Predicates.alwaysTrue();
    for (int i = 0; i < depth; i++) {
      all = i % 2 == 0 ? Predicates.not(all) : Predicates.and(all, Predicates.alwaysTrue());
    }
    return all;
  }

  private static byte[] withWrongNumber(byte[] bytes, HostileDice dice) {
    byte[] changed = bytes.clone();
    if (changed.length > HEAD + Integer.BYTES) {
      int at = HEAD + dice.below(changed.length - HEAD - Integer.BYTES);
      ByteBuffer.wrap(changed).putInt(at, dice.edge());
    }
    return changed;
  }

  /** Any type, with any content. */
  private static byte[] head(HostileDice dice) {
    int type = dice.chance(0.8) ? -dice.below(420) : dice.edge();
    byte[] content = dice.bytes(dice.below(80));
    return ByteBuffer.allocate(Integer.BYTES + content.length).putInt(type).put(content).array();
  }

  /** An array or a collection that names more than it has. */
  private static byte[] claim(HostileDice dice) {
    int type = dice.pick(dice.chance(0.5) ? ARRAYS : COLLECTIONS);
    byte[] content = dice.bytes(dice.below(40));
    return ByteBuffer.allocate(2 * Integer.BYTES + content.length)
        .putInt(type)
        .putInt(dice.chance(0.5) ? dice.force().claim() : dice.edge())
        .put(content)
        .array();
  }

  /** Collections in each other; the innermost names more than it has. */
  private static byte[] nested(HostileDice dice) {
    int depth = 1 + dice.below(20 * dice.force().depth());
    int type = dice.pick(COLLECTIONS);
    ByteBuffer out = ByteBuffer.allocate((2 * depth + 3) * Integer.BYTES);
    for (int i = 0; i < depth; i++) {
      out.putInt(type).putInt(1);
    }
    return out.putInt(SerializationConstants.CONSTANT_TYPE_LONG_ARRAY)
        .putInt(dice.force().claim())
        .putInt(0)
        .array();
  }

  /** An object that a factory makes by its number. */
  private static byte[] identified(HostileDice dice) {
    byte[] content = dice.bytes(dice.below(60));
    return ByteBuffer.allocate(13 + content.length)
        .putInt(SerializationConstants.CONSTANT_TYPE_DATA_SERIALIZABLE)
        .put((byte) dice.below(4))
        .putInt(-dice.below(80))
        .putInt(dice.below(50))
        .put(content)
        .array();
  }

  private byte[] javaStream(HostileDice dice) {
    byte[] stream =
        switch (dice.below(6)) {
          case 0 -> sets;
          case 1 -> arrays;
          case 2 -> addresses;
          case 3 -> pattern;
          case 4 -> manyLongs(dice.chance(0.5) ? dice.force().claim() : dice.edge());
          default -> dice.flipped(shallowSets);
        };
    return ByteBuffer.allocate(Integer.BYTES + stream.length)
        .putInt(SerializationConstants.JAVA_DEFAULT_TYPE_SERIALIZABLE)
        .put(stream)
        .array();
  }

  /** Type 0 is null, which codecs refuse to encode; changes of frames make it too. */
  private static Data of(byte[] typeAndContent) {
    ByteBuffer all =
        ByteBuffer.allocate(Integer.BYTES + Math.max(Integer.BYTES, typeAndContent.length))
            .putInt(0)
            .put(typeAndContent);
    if (all.getInt(Integer.BYTES) == SerializationConstants.CONSTANT_TYPE_NULL) {
      all.putInt(Integer.BYTES, 1);
    }
    return new HeapData(all.array());
  }

  /** Sets whose hash takes twice as many steps with each level, of a few bytes for each. */
  private static Set<Object> nestedSets(int depth) {
    Set<Object> root = new HashSet<>();
    Set<Object> left = root;
    Set<Object> right = new HashSet<>();
    for (int i = 0; i < depth; i++) {
      Set<Object> nextLeft = new HashSet<>();
      Set<Object> nextRight = new HashSet<>();
      nextLeft.add("x");
      left.add(nextLeft);
      left.add(nextRight);
      right.add(nextLeft);
      right.add(nextRight);
      left = nextLeft;
      right = nextRight;
    }
    return root;
  }

  private static Object nestedArrays(int depth) {
    Object inner = "x";
    for (int i = 0; i < depth; i++) {
      inner = new Object[] {inner};
    }
    return inner;
  }

  /** An address of this machine as a key: making the map anew looks its host up. */
  @SuppressWarnings("URLEqualsHashCode") // that is why it is sent
  private static Map<Object, Object> addresses() {
    try {
      Map<Object, Object> map = new HashMap<>();
      map.put(URI.create("http://127.0.0.1/").toURL(), "x");
      return map;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An array of longs that says how many it has, and has one: the number is before the last. */
  private static byte[] manyLongs(int count) {
    byte[] stream = java(new long[1]);
    ByteBuffer.wrap(stream).putInt(stream.length - Long.BYTES - Integer.BYTES, count);
    return stream;
  }

  private static byte[] java(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
