package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TrainCommandTest {
  @Test
  void theMemberComesBackWithWhatItHad() {
    assertThat(KvsCommand.run("train")).isZero();
  }
}
