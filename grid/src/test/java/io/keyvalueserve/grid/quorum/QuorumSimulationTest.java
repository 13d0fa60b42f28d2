package io.keyvalueserve.grid.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters in which all goes wrong that may: nobody serves beside another, and all recover. */
class QuorumSimulationTest {
  private static final int SEEDS = 600;

  @Test
  void isSafeAndRecoversWhateverFails() {
    for (long seed = 0; seed < SEEDS; seed++) {
      QuorumSimulation simulation = new QuorumSimulation(seed);
      assertThat(simulation.run()).as("seed %d", seed).isNull();
    }
  }

  /** Each of these found a fault of the protocol. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        6, 8, 34, 67, 83, 99, 113, 148, 438, 607, 925, 1455, 1516, 1823, 2755, 3038, 10462, 11465,
        25781, 29680, 36206, 134961, 162327, 190598
      })
  void isSafeWhereItWasNot(long seed) {
    assertThat(new QuorumSimulation(seed).run()).isNull();
  }
}
