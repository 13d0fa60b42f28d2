package io.keyvalueserve.grid;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PinnedHazelcastTest {
  @Test
  void runsOnWhatTheBuildBrings() {
    assertThatCode(PinnedHazelcast::check).doesNotThrowAnyException();
  }

  @Test
  void refusesAnyOtherVersionAndEdition() {
    assertThatThrownBy(() -> PinnedHazelcast.check("5.7.1", false))
        .isInstanceOf(GridStartException.class)
        .hasMessageContaining("found=5.7.1")
        .hasMessageContaining("needed=5.7.0");
    assertThatThrownBy(() -> PinnedHazelcast.check("5.7.0", true))
        .hasMessageContaining("Enterprise");
  }
}
