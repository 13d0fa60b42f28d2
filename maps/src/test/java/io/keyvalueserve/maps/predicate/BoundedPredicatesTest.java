package io.keyvalueserve.maps.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import com.hazelcast.query.QueryException;
import com.hazelcast.query.impl.QueryEntry;
import com.hazelcast.query.impl.getters.Extractors;
import com.hazelcast.query.impl.predicates.PredicateDataSerializerHook;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: what members read means what the client meant, and is bounded. Method: predicates as
 * clients write them, read by a serialization service as members have it.
 */
class BoundedPredicatesTest {
  private static final InternalSerializationService SERIALIZATION =
      new DefaultSerializationServiceBuilder().build();
  private static final List<String> VALUES = List.of("", "a", "ab", "abc", "b", "ABC", "10", "%");

  static List<Predicate<?, ?>> predicates() {
    return List.of(
        Predicates.like("this", "a%"),
        Predicates.like("this", "%b_"),
        Predicates.ilike("this", "A%"),
        Predicates.regex("this", "a(b|c)*"),
        Predicates.in("this", "a", "10", "x"),
        Predicates.and(Predicates.like("this", "a%"), Predicates.notEqual("this", "ab")),
        Predicates.or(Predicates.regex("this", "b+"), Predicates.in("this", "10")),
        Predicates.not(
            Predicates.and(Predicates.like("this", "a%"), Predicates.like("this", "%c"))),
        Predicates.not(Predicates.in("this", "a", "ab")),
        Predicates.sql("this LIKE 'a%' AND this != 'ab'"),
        Predicates.sql("NOT(this REGEX 'a.*') OR this IN ('a', 'x')"),
        Predicates.sql("this ILIKE '%C' OR this = '10'"));
  }

  private static boolean matches(Predicate<?, ?> predicate, String value) {
    return apply(predicate, value);
  }

  @SuppressWarnings({"rawtypes", "unchecked"})
  private static boolean apply(Predicate predicate, String value) {
    return predicate.apply(
        new QueryEntry(
            SERIALIZATION,
            SERIALIZATION.toData("key"),
            value,
            Extractors.newBuilder(SERIALIZATION).build()));
  }

  @ParameterizedTest
  @MethodSource("predicates")
  void whatIsReadMeansTheSameAndIsWrittenAsItCame(Predicate<?, ?> predicate) {
    Data data = SERIALIZATION.toData(predicate);
    Predicate<?, ?> read = SERIALIZATION.toObject(data);
    for (String value : VALUES) {
      assertThat(matches(read, value))
          .as("%s of '%s'", predicate, value)
          .isEqualTo(matches(predicate, value));
    }
    assertThat(SERIALIZATION.<Data>toData(read)).isEqualTo(data);
    assertThat(read).hasToString(predicate.toString());
    assertThat(read).isEqualTo(SERIALIZATION.toObject(data)).hasSameHashCodeAs(read);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(.*a){20}b", "a*a*a*a*a*a*a*a*a*b", "(a+)(a+)(a+)(a+)(a+)(a+)(a+)b"})
  void aRegularExpressionThatTakesTooLongFails(String regex) {
    for (Predicate<?, ?> predicate :
        List.of(
            Predicates.regex("this", regex),
            Predicates.and(Predicates.alwaysTrue(), Predicates.regex("this", regex)),
            Predicates.sql("this REGEX '" + regex + "'"))) {
      Predicate<?, ?> read = SERIALIZATION.toObject(SERIALIZATION.toData(predicate));
      assertThatThrownBy(() -> matches(read, "a".repeat(100)))
          .isInstanceOf(QueryException.class)
          .hasMessageContaining("too many steps");
    }
  }

  @Test
  void likeWithinOthersIsBoundedToo() {
    String expression = "%a%a%a%a%a%a%a%a%a%a%b";
    for (Predicate<?, ?> predicate :
        List.of(
            Predicates.like("this", expression),
            Predicates.ilike("this", expression),
            Predicates.or(Predicates.not(Predicates.like("this", expression))),
            Predicates.sql("this LIKE '" + expression + "'"))) {
      Predicate<?, ?> read = SERIALIZATION.toObject(SERIALIZATION.toData(predicate));
      boolean _ = matches(read, "a".repeat(3_000)); // it comes back
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        PredicateDataSerializerHook.AND_PREDICATE,
        PredicateDataSerializerHook.OR_PREDICATE,
        PredicateDataSerializerHook.IN_PREDICATE
      })
  void takesNoMemoryForPartsThatAreOnlyNamed(int classId) {
    for (int count : new int[] {0x10000000, Integer.MAX_VALUE, -1, 1}) {
      boolean in = classId == PredicateDataSerializerHook.IN_PREDICATE;
      ByteBuffer bytes = ByteBuffer.allocate(64);
      bytes.putInt(0).putInt(-2).put((byte) 1);
      bytes.putInt(PredicateDataSerializerHook.F_ID).putInt(classId);
      if (in) {
        bytes.putInt(4).put("this".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      }
      bytes.putInt(count);
      byte[] all = java.util.Arrays.copyOf(bytes.array(), bytes.position());
      assertThatThrownBy(() -> SERIALIZATION.toObject(new HeapData(all)))
          .isInstanceOf(HazelcastSerializationException.class)
          .hasMessageContaining("names " + count + " parts");
    }
  }
}
