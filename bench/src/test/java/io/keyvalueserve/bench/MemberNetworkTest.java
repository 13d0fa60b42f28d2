package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class MemberNetworkTest {
  /** Where the kernel has no netem, that alone is the reason: tc has understood the rest. */
  @Test
  void makesLinksSlowOrSaysThatTheKernelCannot() {
    assumeTrue("root".equals(System.getProperty("user.name")), "networks need root");
    assumeTrue(Programs.here().find("tc").isPresent(), "tc is not installed");
    MemberNetwork.whyLinksCannotBeSlow()
        .ifPresent(
            why ->
                assertThat(why)
                    .contains("netem in the kernel")
                    .containsAnyOf("qdisc kind is unknown", "No such file or directory"));
  }
}
