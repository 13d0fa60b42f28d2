package io.keyvalueserve.maps.query;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.nio.serialization.ClassDefinition;
import com.hazelcast.nio.serialization.ClassDefinitionBuilder;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random values of each form that queries know, with the same attributes. */
@SuppressWarnings("removal") // Portable is still there
public enum Values {
  COMPACT,
  PORTABLE,
  JSON,
  JAVA;

  private static final ClassDefinition INNER =
      new ClassDefinitionBuilder(7, 2).addStringField("city").addIntField("zip").build();
  private static final ClassDefinition OUTER =
      new ClassDefinitionBuilder(7, 1)
          .addIntField("age")
          .addLongField("size")
          .addDoubleField("real")
          .addBooleanField("flag")
          .addStringField("name")
          .addStringArrayField("tags")
          .addPortableField("home", INNER)
          .build();

  /** A Java object with the attributes. */
  public record Plain(
      int age,
      long size,
      double real,
      boolean flag,
      @Nullable String name,
      String[] tags,
      @Nullable Home home,
      @Nullable BigDecimal price,
      @Nullable LocalDate day)
      implements java.io.Serializable {}

  /** A part of it. */
  public record Home(@Nullable String city, int zip) implements java.io.Serializable {}

  public Object make(Random random) {
    Plain plain =
        new Plain(
            random.nextInt(60) - 30,
            random.nextInt(5) == 0 ? (1L << 53) + random.nextInt(4) : random.nextInt(100),
            real(random),
            random.nextBoolean(),
            random.nextInt(8) == 0 ? null : text(random),
            tags(random),
            random.nextInt(6) == 0
                ? null
                : new Home(random.nextInt(6) == 0 ? null : text(random), random.nextInt(50)),
            random.nextInt(8) == 0 ? null : BigDecimal.valueOf(random.nextInt(200) - 100, 1),
            random.nextInt(8) == 0 ? null : LocalDate.ofEpochDay(random.nextInt(40)));
    return switch (this) {
      case COMPACT -> compact(plain, random);
      case PORTABLE -> portable(plain);
      case JSON -> json(plain, random);
      case JAVA -> plain;
    };
  }

  static double real(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> -0.0;
      case 1 -> 0x1p53 + 2 * random.nextInt(3);
      case 2 -> 1e300;
      default -> (random.nextInt(60) - 30) / 2.0;
    };
  }

  static String text(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> "";
      case 1 -> "\uFFEE" + random.nextInt(3);
      case 2 -> "\uD83D\uDE00" + random.nextInt(3);
      case 3 -> "name \"é\" \\" + random.nextInt(3);
      default -> "name-" + (char) ('a' + random.nextInt(3)) + random.nextInt(20);
    };
  }

  private static String[] tags(Random random) {
    String[] tags = new String[random.nextInt(4)];
    for (int i = 0; i < tags.length; i++) {
      tags[i] = "tag-" + random.nextInt(5);
    }
    return tags;
  }

  private static GenericRecord compact(Plain plain, Random random) {
    Home home = plain.home();
    GenericRecordBuilder record = GenericRecordBuilder.compact("person" + random.nextInt(2));
    if (random.nextBoolean()) {
      record.setInt32("age", plain.age()).setInt64("size", plain.size());
    } else {
      record
          .setNullableInt32("age", random.nextInt(8) == 0 ? null : plain.age())
          .setInt16("size", (short) plain.size());
    }
    if (random.nextInt(20) == 0) {
      record.setString("filler", "x".repeat(random.nextInt(300)));
    }
    return record
        .setFloat64("real", plain.real())
        .setBoolean("flag", plain.flag())
        .setString("name", plain.name())
        .setArrayOfString("tags", plain.tags())
        .setDecimal("price", plain.price())
        .setDate("day", plain.day())
        .setGenericRecord(
            "home",
            home == null
                ? null
                : GenericRecordBuilder.compact("home")
                    .setString("city", home.city())
                    .setInt32("zip", home.zip())
                    .build())
        .build();
  }

  private static GenericRecord portable(Plain plain) {
    Home home = plain.home();
    return GenericRecordBuilder.portable(OUTER)
        .setInt32("age", plain.age())
        .setInt64("size", plain.size())
        .setFloat64("real", plain.real())
        .setBoolean("flag", plain.flag())
        .setString("name", plain.name())
        .setArrayOfString("tags", plain.tags())
        .setGenericRecord(
            "home",
            home == null
                ? null
                : GenericRecordBuilder.portable(INNER)
                    .setString("city", home.city())
                    .setInt32("zip", home.zip())
                    .build())
        .build();
  }

  private static HazelcastJsonValue json(Plain plain, Random random) {
    StringBuilder text = new StringBuilder("{ ");
    if (random.nextInt(6) != 0) {
      text.append("\"name\": ").append(quoted(plain.name())).append(", ");
    }
    text.append("\"age\":").append(plain.age()).append(" , \"size\" : ").append(plain.size());
    text.append(", \"real\": ").append(plain.real()).append(",\"flag\":").append(plain.flag());
    text.append(", \"tags\": [");
    for (int i = 0; i < plain.tags().length; i++) {
      text.append(i == 0 ? "" : ", ").append(quoted(plain.tags()[i]));
    }
    text.append("], \"home\": ");
    Home home = plain.home();
    if (home == null) {
      text.append("null");
    } else {
      text.append("{\"zip\": ").append(home.zip()).append(", \"city\": ");
      text.append(quoted(home.city())).append('}');
    }
    return new HazelcastJsonValue(text.append('}').toString());
  }

  private static String quoted(@Nullable String text) {
    return text == null
        ? "null"
        : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("é", "\\u00e9") + "\"";
  }
}
