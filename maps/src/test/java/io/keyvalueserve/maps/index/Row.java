package io.keyvalueserve.maps.index;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A value with attributes of many types. */
public final class Row implements Serializable {
  private static final long serialVersionUID = 1;

  static final List<TimeUnit> UNITS = List.of(TimeUnit.values());

  public int number;
  public @Nullable Double real;
  public @Nullable String text;
  public @Nullable String city;
  public @Nullable LocalDate day;
  public @Nullable BigDecimal price;
  public @Nullable TimeUnit unit;
  public boolean flag;
  public List<@Nullable String> tags = new ArrayList<>();

  public Row() {}

  static Row random(Random random) {
    Row row = new Row();
    row.number = random.nextInt(60) - 30;
    row.real = orNull(random, real(random));
    row.text = orNull(random, text(random));
    row.city = orNull(random, "city-" + random.nextInt(8));
    row.day = orNull(random, LocalDate.ofEpochDay(random.nextInt(40)));
    row.price = orNull(random, price(random));
    row.unit = orNull(random, UNITS.get(random.nextInt(7)));
    row.flag = random.nextBoolean();
    for (int i = random.nextInt(4); i > 0; i--) {
      row.tags.add("tag-" + random.nextInt(6));
    }
    return row;
  }

  @Override
  public String toString() {
    return List.of(
            number, "" + real, "" + text, "" + city, "" + day, "" + price, "" + unit, flag, tags)
        .toString();
  }

  static double real(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> -0.0;
      case 1 -> Double.NaN;
      case 2 -> Double.NEGATIVE_INFINITY;
      case 3 -> 1e300;
      default -> (random.nextInt(60) - 30) / 2.0;
    };
  }

  static String text(Random random) {
    return "name-" + (char) ('a' + random.nextInt(3)) + random.nextInt(20);
  }

  /** Of one scale: without an index and in a hash index, Hazelcast tells 1.0 from 1.00. */
  static BigDecimal price(Random random) {
    return BigDecimal.valueOf(random.nextInt(200) - 100, 1);
  }

  private static <T> @Nullable T orNull(Random random, T value) {
    return random.nextInt(10) == 0 ? null : value;
  }
}
