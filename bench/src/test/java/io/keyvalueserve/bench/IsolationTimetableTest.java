package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IsolationTimetableTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void spacesRequestsEvenlyAndWithoutAnErrorThatGrows() {
    IsolationTimetable thirds = new IsolationTimetable(1000, 3);
    assertThat(thirds.due(0)).isEqualTo(1000);
    assertThat(thirds.due(1)).isEqualTo(1000 + SECOND / 3);
    assertThat(thirds.due(2)).isEqualTo(1000 + 2 * SECOND / 3);
    assertThat(thirds.due(3)).isEqualTo(1000 + SECOND);
    assertThat(thirds.due(3_000_000_000L)).isEqualTo(1000 + 1_000_000_000L * SECOND);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 7, 2000, 99_991, 100_000})
  void findsTheFirstRequestOfATime(long perSecond) {
    IsolationTimetable timetable = new IsolationTimetable(-5, perSecond);
    for (long number : new long[] {0, 1, 2, 6, 1999, 123_456, 987_654_321}) {
      long due = timetable.due(number);
      assertThat(timetable.first(due)).isEqualTo(number);
      assertThat(timetable.first(due + 1)).isEqualTo(number + 1);
    }
    assertThat(timetable.first(-1_000_000)).isZero();
  }

  @Test
  void countsWhatIsDueFromAMomentOnAndBeforeAnother() {
    IsolationTimetable timetable = new IsolationTimetable(0, 2000);
    assertThat(timetable.between(SECOND, 3 * SECOND)).isEqualTo(4000);
    assertThat(timetable.between(SECOND, SECOND)).isZero();
    assertThat(timetable.between(-SECOND, 1)).isEqualTo(1);
    assertThat(timetable.between(1, SECOND + 1)).isEqualTo(2000);
  }
}
