package io.keyvalueserve.bench;

import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import java.io.Serializable;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The paper's employee with the fields of its organization, about 100 B, drawn from its number.
 *
 * @param id its number, from 0, which is its key
 * @param name its first letter is one of 26
 * @param age from 0 to 99
 * @param password 20 letters
 * @param organization one of 20 names
 * @param acronym of the organization
 * @param employees of the organization
 */
record Person(
    int id,
    String name,
    int age,
    String password,
    String organization,
    String acronym,
    int employees)
    implements Serializable {
  static final int ORGANIZATIONS = 20;
  private static final int AGES = 100;

  /** Has the query of few rows find some among the first 1,000 people too. */
  private static final long SALT = 1_000_003;

  static Person of(int id) {
    SplittableRandom random = new SplittableRandom((id + SALT) * 0x9E3779B97F4A7C15L);
    String name = (char) ('A' + random.nextInt(26)) + letters(random, 8);
    int age = random.nextInt(AGES);
    int number = random.nextInt(ORGANIZATIONS);
    String organization =
        number == 7 ? "Datum Institute 07" : "Weather Service %02d".formatted(number);
    return new Person(
        id, name, age, letters(random, 20), organization, "O%02d".formatted(number), 100 + number);
  }

  /** The first so many. */
  static Stream<Person> first(int count) {
    return IntStream.range(0, count).mapToObj(Person::of);
  }

  private static String letters(SplittableRandom random, int count) {
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < count; i++) {
      letters.append((char) ('a' + random.nextInt(26)));
    }
    return letters.toString();
  }

  /** Its fields, in their order. */
  Object[] fields() {
    return new Object[] {id, name, age, password, organization, acronym, employees};
  }

  /** Writes people as Compact records. */
  static final class Compact implements CompactSerializer<Person> {
    static final String TYPE = "person";

    @Override
    public Person read(CompactReader in) {
      return new Person(
          in.readInt32("id"),
          text(in, "name"),
          in.readInt32("age"),
          text(in, "password"),
          text(in, "organization"),
          text(in, "acronym"),
          in.readInt32("employees"));
    }

    private static String text(CompactReader in, String field) {
      return Objects.requireNonNull(in.readString(field), field);
    }

    @Override
    public void write(CompactWriter out, Person person) {
      out.writeInt32("id", person.id);
      out.writeString("name", person.name);
      out.writeInt32("age", person.age);
      out.writeString("password", person.password);
      out.writeString("organization", person.organization);
      out.writeString("acronym", person.acronym);
      out.writeInt32("employees", person.employees);
    }

    @Override
    public String getTypeName() {
      return TYPE;
    }

    @Override
    public Class<Person> getCompactClass() {
      return Person.class;
    }
  }
}
