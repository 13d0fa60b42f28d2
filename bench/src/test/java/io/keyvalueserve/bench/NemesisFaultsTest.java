package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: a round has only faults that were asked for and that can be done together. */
class NemesisFaultsTest {
  private static final int DRAWS = 3_000;
  private static final int MEMBERS = 3;

  private static List<NemesisFaults> draws(Set<NemesisKind> kinds, Durability durability) {
    SplittableRandom random = new SplittableRandom(35);
    List<NemesisFaults> all = new ArrayList<>();
    for (int i = 0; i < DRAWS; i++) {
      all.add(NemesisFaults.draw(kinds, MEMBERS, durability, random));
    }
    return all;
  }

  private static Set<NemesisKind> kindsOf(NemesisFaults faults) {
    Set<NemesisKind> kinds = EnumSet.noneOf(NemesisKind.class);
    faults.each().forEach(each -> kinds.add(each.what().kind));
    return kinds;
  }

  @ParameterizedTest
  @EnumSource(names = {"CUT", "PAUSE", "KILL", "CLOCK", "SLOW"})
  void drawsSingleFaultsOfTheKindThatWasNamed(NemesisKind kind) {
    Set<String> names = new HashSet<>();
    for (NemesisFaults faults : draws(EnumSet.of(kind), Durability.ALWAYS)) {
      assertThat(faults.each()).hasSize(1);
      assertThat(kindsOf(faults)).containsExactly(kind);
      names.add(faults.name());
    }
    assertThat(names)
        .hasSize(
            (int)
                EnumSet.allOf(NemesisFault.What.class).stream()
                    .filter(what -> what.kind == kind)
                    .count());
  }

  @Test
  void mixesTwoKindsInHalfOfTheRounds() {
    Set<NemesisKind> kinds = EnumSet.allOf(NemesisKind.class);
    List<NemesisFaults> all = draws(kinds, Durability.ALWAYS);
    Set<Set<NemesisKind>> pairs = new HashSet<>();
    long mixed = 0;
    for (NemesisFaults faults : all) {
      if (faults.each().size() == 2) {
        mixed++;
        assertThat(kindsOf(faults)).hasSize(2);
        assertThat(faults.gapMillis()).isBetween(0L, faults.each().getFirst().millis());
        pairs.add(kindsOf(faults));
      }
    }
    assertThat(mixed).isBetween(DRAWS / 3L, 2L * DRAWS / 3);
    assertThat(pairs).as("of five kinds").hasSize(10);
    assertThat(draws(kinds, Durability.ALWAYS)).as("the same seed").isEqualTo(all);
  }

  @Test
  void stopsNoProcessThatIsKilledToo() {
    for (NemesisFaults faults : draws(EnumSet.of(NemesisKind.MIXED), Durability.ALWAYS)) {
      if (kindsOf(faults).equals(EnumSet.of(NemesisKind.PAUSE, NemesisKind.KILL))) {
        assertThat(IntStream.rangeClosed(1, MEMBERS))
            .noneMatch(i -> faults.each().stream().allMatch(each -> each.hits(i)));
      }
    }
  }

  @Test
  void mixesKillsOnlyWhereEachWriteIsOnTheDisk() {
    Set<NemesisKind> kinds = EnumSet.of(NemesisKind.KILL, NemesisKind.CUT, NemesisKind.MIXED);
    assertThat(draws(kinds, Durability.EVERYSEC))
        .filteredOn(faults -> faults.each().size() == 2)
        .isNotEmpty()
        .noneMatch(faults -> kindsOf(faults).contains(NemesisKind.KILL));
    assertThat(draws(kinds, Durability.ALWAYS))
        .filteredOn(faults -> faults.each().size() == 2)
        .allMatch(faults -> kindsOf(faults).contains(NemesisKind.KILL));
  }

  @Test
  void setsClocksByAMinuteToAnHour() {
    Set<Boolean> forward = new HashSet<>();
    for (NemesisFaults faults : draws(EnumSet.of(NemesisKind.CLOCK), Durability.ALWAYS)) {
      int step = faults.each().getFirst().stepSeconds();
      assertThat(Math.abs(step)).isBetween(60, 3_600);
      forward.add(step > 0);
    }
    assertThat(forward).hasSize(2);
  }
}
