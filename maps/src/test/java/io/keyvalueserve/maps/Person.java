package io.keyvalueserve.maps;

import org.jspecify.annotations.Nullable;

/** A value to query: a record, so Hazelcast writes it in its Compact form unasked. */
record Person(String name, int age, @Nullable String city, boolean active) {
  static Person of(int i) {
    return new Person("name-" + i, i % 100, "city-" + i % 10, i % 2 == 0);
  }
}
