package io.keyvalueserve.grid.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ReadStampsTest {
  @Test
  void remembersWhatWasAnsweredLast() {
    ReadStamps stamps = new ReadStamps();
    int place = ReadStamps.place("acme.orders", 7);
    assertThat(stamps.get(place)).isZero();
    stamps.put(place, 41);
    stamps.put(place, 42);
    assertThat(stamps.get(place)).isEqualTo(42);
  }

  /** Few partitions share a place, and any number of maps fits. */
  @Test
  void spreadsThePartitionsOfMaps() {
    ReadStamps stamps = new ReadStamps();
    Set<Integer> places = new HashSet<>();
    for (int map = 0; map < 20; map++) {
      for (int partition = 0; partition < 271; partition++) {
        places.add(ReadStamps.place("tenant.map-" + map, partition));
      }
    }
    assertThat(places).hasSizeGreaterThan(20 * 271 * 95 / 100);
    for (int map = 0; map < 100_000; map++) {
      stamps.put(ReadStamps.place("tenant.other-" + map, map % 271), map + 1L);
    }
    assertThat(places).allMatch(place -> place >= 0);
  }
}
