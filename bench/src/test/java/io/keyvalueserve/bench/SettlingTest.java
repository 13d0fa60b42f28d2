package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SettlingTest {
  @Test
  void endsAfterThreeFiguresThatDidNotFall() {
    assertThat(figures(25, 18, 14, 13, 13, 13, 13)).isEqualTo(7);
    assertThat(figures(5, 5, 5, 5, 5, 5)).isEqualTo(4);
  }

  @Test
  void goesOnWhileFiguresFallSlowly() {
    double[] falling = DoubleStream.iterate(25, figure -> figure * 0.985).limit(50).toArray();
    assertThat(figures(falling)).as("1.5% each time").isEqualTo(-1);
  }

  @Test
  void isNotHeldUpByAHigherFigure() {
    assertThat(figures(10, 14, 10, 13, 9, 9))
        .as("lower than 10 - 3% only in the fifth")
        .isEqualTo(4);
    assertThat(figures(10, 14, 9, 13, 9, 9)).isEqualTo(6);
  }

  /** After how many figures it has settled; -1 if it has not. */
  private static int figures(double... figures) {
    Settling settling = new Settling();
    for (int i = 0; i < figures.length; i++) {
      settling.add(figures[i]);
      if (settling.isSettled()) {
        return i + 1;
      }
    }
    return -1;
  }
}
