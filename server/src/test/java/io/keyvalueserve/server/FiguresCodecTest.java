package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.gates.latency.LaneNumbers;
import io.keyvalueserve.gates.latency.Latencies;
import io.keyvalueserve.gates.latency.LatencyMeter;
import io.keyvalueserve.tenancy.Door;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Goal: what members tell each other is read as it was, and adds up. */
class FiguresCodecTest {
  private static Latencies of(long nanos, long requests) {
    LatencyMeter meter = new LatencyMeter(new LaneNumbers(2));
    meter.lane().record(nanos, requests);
    return meter.latencies();
  }

  private static TenantUsage usage(Map<Door, Latencies> latencies) {
    return new TenantUsage(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, Map.of("rival", 0.5), latencies);
  }

  @Test
  void usageIsReadAsItWas() {
    TenantUsage usage = usage(Map.of(Door.RESP, of(2_000_000, 3), Door.HTTP, of(5_000, 1)));

    assertThat(TenantUsage.decode(usage.encode())).isEqualTo(usage);
    assertThat(TenantUsage.decode(TenantUsage.NOTHING.encode())).isEqualTo(TenantUsage.NOTHING);
    // A member of an older version sends this.
    assertThat(TenantUsage.decode("{\"locks\":8}").latency().count()).isZero();
  }

  @Test
  void histogramsOfMembersAreMergedAndNotAveraged() {
    TenantUsage fast = usage(Map.of(Door.RESP, of(100_000, 98)));
    TenantUsage slow = usage(Map.of(Door.RESP, of(80_000_000, 2), Door.HAZELCAST, of(9_000, 1)));

    TenantUsage both = fast.plus(slow);

    assertThat(both.latencies().get(Door.RESP)).isEqualTo(of(100_000, 98).plus(of(80_000_000, 2)));
    assertThat(both.latency().count()).isEqualTo(101);
    // An average of the members' percentiles would be 40 ms.
    assertThat(both.latency().percentileNanos(0.97)).isLessThan(110_000);
    assertThat(both.latency().percentileNanos(0.99)).isGreaterThan(75_000_000);
    assertThat(both.once(2).latencies()).isEqualTo(both.latencies());
  }

  @Test
  void memberFiguresAreReadAsTheyWere() {
    MemberFigures figures =
        new MemberFigures(
            UUID.randomUUID(),
            "alpha",
            true,
            12.5,
            3,
            of(1_000_000, 7),
            List.of(new MemberFigures.Tier("ram", 100, 40)),
            new MemberFigures.Log(1.5, 20, 10));
    assertThat(MemberFigures.decode(figures.encode())).isEqualTo(figures);
    MemberFigures bare =
        new MemberFigures(figures.uuid(), "", false, 0, 0, Latencies.NONE, List.of(), null);
    assertThat(MemberFigures.decode(bare.encode())).isEqualTo(bare);
    assertThatThrownBy(() -> MemberFigures.decode("{"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
