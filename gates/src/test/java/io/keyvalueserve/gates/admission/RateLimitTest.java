package io.keyvalueserve.gates.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitTest {
  @ParameterizedTest
  @CsvSource({"0,0", "-1,0", "1000000000001,0", "1,61", "1,-1", "9223372036854775807,1"})
  void refusesWhatIsOutOfRange(long perSecond, long burst) {
    assertThatIllegalArgumentException().isThrownBy(() -> new RateLimit(perSecond, burst));
  }

  @Test
  void goesFromOneTokenASecondToAMillionMillions() {
    assertThat(new RateLimit(1, 60).isLimited()).isTrue();
    assertThat(new RateLimit(1_000_000_000_000L, 60_000_000_000_000L).isLimited()).isTrue();
    assertThat(RateLimit.UNLIMITED.isLimited()).isFalse();
  }

  @Test
  void codesOfResourcesStay() {
    assertThat(Resource.ofCode(1)).isEqualTo(Resource.OPERATIONS);
    assertThat(Resource.ofCode(2)).isEqualTo(Resource.BYTES_IN);
    assertThat(Resource.ofCode(3)).isEqualTo(Resource.BYTES_OUT);
    for (Resource resource : Resource.values()) {
      assertThat(Resource.ofCode(resource.code())).isEqualTo(resource);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Resource.ofCode(0));
  }
}
