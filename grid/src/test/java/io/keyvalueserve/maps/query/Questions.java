package io.keyvalueserve.maps.query;

import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Random predicates over {@link Values}. */
public final class Questions {
  private final Random random;
  private final Values values;

  public Questions(Values values, Random random) {
    this.values = values;
    this.random = random;
  }

  public Predicate<String, Object> predicate(int depth) {
    if (depth > 0 && random.nextInt(2) == 0) {
      return switch (random.nextInt(3)) {
        case 0 -> Predicates.and(predicate(depth - 1), predicate(depth - 1));
        case 1 -> Predicates.or(predicate(depth - 1), predicate(depth - 1));
        default -> Predicates.not(predicate(depth - 1));
      };
    }
    if (random.nextInt(12) == 0) {
      return random.nextBoolean()
          ? Predicates.between("__key", "key-1", "key-" + random.nextInt(400))
          : Predicates.in("__key", "key-" + random.nextInt(400), "key-7");
    }
    if (random.nextInt(12) == 0) {
      return Predicates.sql(
          "age > " + random.nextInt(20) + " and (flag = true or name like 'name-a%')");
    }
    String attribute = attribute();
    return switch (random.nextInt(10)) {
      case 0, 1 -> Predicates.equal(attribute, random.nextInt(8) == 0 ? null : argument(attribute));
      case 2 -> Predicates.notEqual(attribute, argument(attribute));
      case 3 -> Predicates.between(attribute, argument(attribute), argument(attribute));
      case 4 -> Predicates.greaterThan(attribute, argument(attribute));
      case 5 -> Predicates.greaterEqual(attribute, argument(attribute));
      case 6 -> Predicates.lessThan(attribute, argument(attribute));
      case 7 -> Predicates.lessEqual(attribute, argument(attribute));
      case 8 ->
          Predicates.in(
              attribute,
              IntStream.range(0, 1 + random.nextInt(5))
                  .mapToObj(i -> argument(attribute))
                  .toArray(Comparable[]::new));
      default -> like(random.nextBoolean() ? "name" : "home.city");
    };
  }

  private Predicate<String, Object> like(String attribute) {
    String pattern =
        switch (random.nextInt(8)) {
          case 0 -> "name-a%";
          case 1 -> "%1";
          case 2 -> "%me-b%";
          case 3 -> "name-_1%";
          case 4 -> "name-c2";
          case 5 -> "%";
          case 6 -> "name \"_\" \\_";
          default -> "%\uD83D\uDE00%";
        };
    return switch (random.nextInt(6)) {
      case 0 -> Predicates.ilike(attribute, pattern.toUpperCase(java.util.Locale.ROOT));
      case 1 -> Predicates.regex(attribute, "name-[ab].*");
      default -> Predicates.like(attribute, pattern);
    };
  }

  private String attribute() {
    List<String> all =
        List.of("age", "age", "size", "real", "flag", "name", "tags[any]", "home.city", "home.zip");
    if ((values == Values.COMPACT || values == Values.JAVA) && random.nextInt(5) == 0) {
      return random.nextBoolean() ? "price" : "day";
    }
    return all.get(random.nextInt(all.size()));
  }

  private Comparable<?> argument(String attribute) {
    return switch (attribute) {
      case "age", "home.zip" -> number(random.nextInt(64) - 32);
      case "size" ->
          random.nextInt(3) == 0 ? (1L << 53) + random.nextInt(4) : number(random.nextInt(100));
      case "real" ->
          random.nextInt(4) == 0 ? number(random.nextInt(30)) : (Double) Values.real(random);
      case "flag" -> random.nextBoolean();
      case "price" -> BigDecimal.valueOf(random.nextInt(200) - 100, 1);
      case "day" -> LocalDate.ofEpochDay(random.nextInt(44) - 2);
      case "tags[any]" -> "tag-" + random.nextInt(6);
      default -> Values.text(random);
    };
  }

  private Comparable<?> number(int number) {
    return switch (random.nextInt(6)) {
      case 0 -> (long) number;
      case 1 -> number / 2.0;
      case 2 -> Integer.toString(number);
      case 3 -> (float) number;
      case 4 -> (short) number;
      default -> number;
    };
  }
}
