package io.keyvalueserve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class PassingFailuresTest {
  @Test
  void whatComesOfAChangeOfTheClusterPasses() {
    assertThat(PassingFailures.has(new RetryableHazelcastException("try again"))).isTrue();
    assertThat(
            PassingFailures.has(
                new CompletionException(new IndeterminateOperationStateException("in doubt"))))
        .isTrue();
  }

  @Test
  void anythingElseDoesNot() {
    assertThat(PassingFailures.has(null)).isFalse();
    assertThat(PassingFailures.has(new IllegalArgumentException("wrong"))).isFalse();
    assertThat(PassingFailures.has(new HazelcastInstanceNotActiveException())).isFalse();
  }
}
