package io.keyvalueserve.maps.readable;

import com.hazelcast.aggregation.impl.AggregatorDataSerializerHook;
import com.hazelcast.projection.impl.ProjectionDataSerializerHook;
import com.hazelcast.query.impl.predicates.PredicateDataSerializerHook;
import com.hazelcast.topic.impl.TopicDataSerializerHook;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The allow-list: all that a member makes of a tenant's bytes. What is not here stays bytes.
 *
 * <p>Three kinds are open. Plain values: texts, numbers, times, arrays and standard collections of
 * them. Hazelcast's public predicates, aggregators and projections, by number. Classes that the
 * operator lists under {@code extensions}.
 *
 * <p>Immutable.
 */
public final class ReadableTypes {
  /** Collections within collections, parts within predicates. */
  static final int MOST_DEPTH = 32;

  /** Bytes of the digits of one large number, and its decimal places on either side. */
  static final int MOST_NUMBER_BYTES = 4096;

  static final int MOST_SCALE = 10_000;

  /** Elements of which each is compared with all others, at worst. */
  static final int MOST_COMPARED = 4096;

  /** References within a Java object to what has elements: each can double what is looked at. */
  static final int MOST_SHARED = 8;

  /** Places that a queue of fixed size may have. */
  static final int MOST_CAPACITY = 1 << 20;

  /** Plain classes by their full names; a class of an application's own is not one. */
  private static final Set<String> JAVA_CLASSES =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Double",
          "java.lang.Enum",
          "java.lang.Float",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Number",
          "java.lang.Object",
          "java.lang.Short",
          "java.lang.String",
          "java.lang.String$CaseInsensitiveComparator",
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.time.DayOfWeek",
          "java.time.Month",
          "java.time.Ser",
          "java.time.temporal.ChronoUnit",
          "java.util.AbstractMap$SimpleEntry",
          "java.util.AbstractMap$SimpleImmutableEntry",
          "java.util.ArrayDeque",
          "java.util.ArrayList",
          "java.util.Arrays$ArrayList",
          "java.util.BitSet",
          "java.util.CollSer",
          "java.util.Collections$EmptyList",
          "java.util.Collections$EmptyMap",
          "java.util.Collections$EmptySet",
          "java.util.Collections$ReverseComparator",
          "java.util.Collections$SingletonList",
          "java.util.Collections$SingletonMap",
          "java.util.Collections$SingletonSet",
          "java.util.Collections$SynchronizedCollection",
          "java.util.Collections$SynchronizedList",
          "java.util.Collections$SynchronizedRandomAccessList",
          "java.util.Collections$UnmodifiableCollection",
          "java.util.Collections$UnmodifiableList",
          "java.util.Collections$UnmodifiableMap",
          "java.util.Collections$UnmodifiableRandomAccessList",
          "java.util.Collections$UnmodifiableSet",
          "java.util.Date",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.Map$Entry",
          "java.util.Locale",
          "java.util.Stack",
          "java.util.TreeMap",
          "java.util.TreeSet",
          "java.util.UUID",
          "java.util.Vector",
          "java.util.concurrent.CopyOnWriteArrayList",
          "java.util.concurrent.CopyOnWriteArraySet",
          "java.util.concurrent.TimeUnit",
          "java.util.concurrent.atomic.AtomicBoolean",
          "java.util.concurrent.atomic.AtomicInteger",
          "java.util.concurrent.atomic.AtomicLong");

  private static final Set<String> COMPARED_CLASSES =
      Set.of(
          "com.hazelcast.core.HazelcastJsonValue",
          "java.io.Serializable",
          "java.lang.CharSequence",
          "java.lang.Comparable",
          "java.util.Collection",
          "java.util.List",
          "java.util.Map",
          "java.util.Set");

  private final Extensions extensions;

  /** Adds the operator's classes. */
  public ReadableTypes(Extensions extensions) {
    this.extensions = extensions;
  }

  /**
   * Returns whether Java serialization may make objects of a class.
   *
   * @param name the full name; of an array, as in a stream of Java serialization
   */
  public boolean isJavaClass(String name) {
    int element = 0;
    while (element < name.length() && name.charAt(element) == '[') {
      element++;
    }
    if (element == 0) {
      return JAVA_CLASSES.contains(name) || extensions.names(name);
    }
    return switch (name.length() - element) {
      case 0 -> false;
      case 1 -> "ZBCSIJFD".indexOf(name.charAt(element)) >= 0;
      default ->
          name.charAt(element) == 'L'
              && name.endsWith(";")
              && isJavaClass(name.substring(element + 1, name.length() - 1));
    };
  }

  /** Returns whether a query may ask for values of a class. */
  boolean isComparedClass(String name) {
    return isJavaClass(name) || COMPARED_CLASSES.contains(name);
  }

  /** Returns whether the operator has listed a class. */
  public boolean isOperators(String className) {
    return extensions.names(className);
  }

  /** Returns whether the operator has listed a factory: its objects are read by its own code. */
  public boolean isOperatorsFactory(int factory) {
    return extensions.factories().containsKey(factory);
  }

  /** Returns whether a factory is one of Hazelcast's whose objects tenants have reason to send. */
  public static boolean isPublicFactory(int factory) {
    return factory == PredicateDataSerializerHook.F_ID
        || factory == AggregatorDataSerializerHook.F_ID
        || factory == ProjectionDataSerializerHook.F_ID
        || factory == TopicDataSerializerHook.F_ID;
  }

  /**
   * Returns the fields of an object of a public factory, in the order in which they are written: o
   * an object, s a text, S texts, i 4 bytes, l 8 bytes, b a byte, n a count and so many objects, a
   * a count and so many times 4 bytes and two objects, c the name of a class that is only compared
   * with, d bytes of a serialized value.
   *
   * @return null if the class is not open
   */
  static @Nullable String fieldsOf(int factory, int type) {
    if (factory == PredicateDataSerializerHook.F_ID) {
      return predicate(type);
    }
    if (factory == AggregatorDataSerializerHook.F_ID) {
      return aggregator(type);
    }
    if (factory == ProjectionDataSerializerHook.F_ID) {
      return switch (type) {
        case ProjectionDataSerializerHook.SINGLE_ATTRIBUTE -> "s";
        case ProjectionDataSerializerHook.MULTI_ATTRIBUTE -> "S";
        case ProjectionDataSerializerHook.IDENTITY_PROJECTION -> "";
        default -> null;
      };
    }
    return factory == TopicDataSerializerHook.F_ID
            && type == TopicDataSerializerHook.RELIABLE_TOPIC_MESSAGE
        ? "lod"
        : null;
  }

  private static @Nullable String predicate(int type) {
    return switch (type) {
      case PredicateDataSerializerHook.SQL_PREDICATE -> "s";
      case PredicateDataSerializerHook.AND_PREDICATE, PredicateDataSerializerHook.OR_PREDICATE ->
          "n";
      case PredicateDataSerializerHook.BETWEEN_PREDICATE -> "soo";
      case PredicateDataSerializerHook.EQUAL_PREDICATE,
          PredicateDataSerializerHook.NOTEQUAL_PREDICATE ->
          "so";
      case PredicateDataSerializerHook.GREATERLESS_PREDICATE -> "sobb";
      case PredicateDataSerializerHook.LIKE_PREDICATE,
          PredicateDataSerializerHook.ILIKE_PREDICATE,
          PredicateDataSerializerHook.REGEX_PREDICATE ->
          "ss";
      case PredicateDataSerializerHook.INSTANCEOF_PREDICATE -> "c";
      case PredicateDataSerializerHook.IN_PREDICATE -> "sn";
      case PredicateDataSerializerHook.NOT_PREDICATE -> "o";
      case PredicateDataSerializerHook.FALSE_PREDICATE,
          PredicateDataSerializerHook.TRUE_PREDICATE,
          PredicateDataSerializerHook.NULL_OBJECT,
          PredicateDataSerializerHook.NEGATIVE_INFINITY,
          PredicateDataSerializerHook.POSITIVE_INFINITY ->
          "";
      case PredicateDataSerializerHook.PAGING_PREDICATE -> "sooiisa";
      case PredicateDataSerializerHook.PARTITION_PREDICATE,
          PredicateDataSerializerHook.MULTI_PARTITION_PREDICATE ->
          "oo";
      default -> null;
    };
  }

  private static @Nullable String aggregator(int type) {
    return switch (type) {
      case AggregatorDataSerializerHook.BIG_DECIMAL_AVG, AggregatorDataSerializerHook.BIG_INT_AVG ->
          "sol";
      case AggregatorDataSerializerHook.BIG_DECIMAL_SUM,
          AggregatorDataSerializerHook.BIG_INT_SUM,
          AggregatorDataSerializerHook.MAX,
          AggregatorDataSerializerHook.MIN ->
          "so";
      case AggregatorDataSerializerHook.COUNT,
          AggregatorDataSerializerHook.DOUBLE_SUM,
          AggregatorDataSerializerHook.FIXED_SUM,
          AggregatorDataSerializerHook.FLOATING_POINT_SUM,
          AggregatorDataSerializerHook.INT_SUM,
          AggregatorDataSerializerHook.LONG_SUM ->
          "sl";
      case AggregatorDataSerializerHook.DOUBLE_AVG,
          AggregatorDataSerializerHook.INT_AVG,
          AggregatorDataSerializerHook.LONG_AVG,
          AggregatorDataSerializerHook.NUMBER_AVG ->
          "sll";
      case AggregatorDataSerializerHook.DISTINCT_VALUES -> "sn";
      case AggregatorDataSerializerHook.MAX_BY, AggregatorDataSerializerHook.MIN_BY -> "soo";
      case AggregatorDataSerializerHook.CANONICALIZING_SET -> "n";
      default -> null;
    };
  }
}
