package io.keyvalueserve.maps.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.query.QueryException;
import com.hazelcast.query.impl.predicates.ILikePredicate;
import com.hazelcast.query.impl.predicates.LikePredicate;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Goal: it means what Hazelcast's LIKE means, and ends soon whatever it is given. */
class LikeExpressionTest {
  private static final String[] PIECES = {
    "a",
    "b",
    "A",
    "%",
    "_",
    "\\%",
    "\\_",
    "\\",
    "\\E",
    "\\Q",
    ".",
    "*",
    "\n",
    "ß",
    "İ",
    "\ud83d\ude00",
    "\ud83d"
  };

  private static final class Stock extends LikePredicate {
    Stock(String expression) {
      super("this", expression);
    }

    boolean test(String value) {
      return applyForSingleAttributeValue(value);
    }
  }

  private static final class StockIgnoringCase extends ILikePredicate {
    StockIgnoringCase(String expression) {
      super("this", expression);
    }

    boolean test(String value) {
      return applyForSingleAttributeValue(value);
    }
  }

  private static String random(Random random, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most); i > 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  @Test
  void matchesWhatHazelcastsOwnMatches() {
    Random random = new Random(42);
    int matched = 0;
    for (int i = 0; i < 200_000; i++) {
      String expression = random(random, 7);
      String value =
          random.nextBoolean()
              ? random(random, 7)
              : expression.replace("%", "ab").replace("\\", "");
      boolean expected = new Stock(expression).test(value);
      assertThat(new LikeExpression(expression, false).matches(value))
          .as("'%s' LIKE '%s'", value, expression)
          .isEqualTo(expected);
      assertThat(new LikeExpression(expression, true).matches(value))
          .as("'%s' ILIKE '%s'", value, expression)
          .isEqualTo(new StockIgnoringCase(expression).test(value));
      matched += expected ? 1 : 0;
    }
    assertThat(matched).isGreaterThan(10_000);
  }

  /**
   * Hazelcast's own goes through the value once more for each character, for each {@code %} more.
   */
  @Test
  void endsSoonWhateverTheNumberOfWildcards() {
    LikeExpression like = new LikeExpression("%a%a%a%a%a%a%a%a%a%a%b", false);
    assertThat(like.matches("a".repeat(2_000))).isFalse();
    assertThat(like.matches("a".repeat(1_000_000))).isFalse();
    assertThat(like.matches("a".repeat(1_000_000) + "b")).isTrue();
  }

  @Test
  void givesUpWhatTakesTooManySteps() {
    LikeExpression like = new LikeExpression("%" + "a".repeat(10_000) + "b%", false);
    assertThatThrownBy(() -> like.matches("a".repeat(1_000_000)))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("too many steps");
  }
}
