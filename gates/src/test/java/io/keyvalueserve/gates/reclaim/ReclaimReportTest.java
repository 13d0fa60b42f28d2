package io.keyvalueserve.gates.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.gates.reclaim.ReclaimCounters.Reading;
import io.keyvalueserve.gates.reclaim.ReclaimPlan.Take;
import io.keyvalueserve.gates.reclaim.ReclaimReason.InactiveFor;
import io.keyvalueserve.gates.reclaim.ReclaimReason.Kind;
import io.keyvalueserve.gates.reclaim.ReclaimReason.OverQuota;
import io.keyvalueserve.gates.reclaim.ReclaimReport.Item;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReclaimReportTest {
  private static final Take FIRST = new Take(3, 100, new InactiveFor(900_000), ReclaimAction.SPILL);
  private static final Take SECOND = new Take(2, 50, new OverQuota(50), ReclaimAction.DELETE);

  private static ReclaimReport report(Item... items) {
    return new ReclaimReport(Instant.EPOCH, 12, 150, List.of(items));
  }

  @Test
  void countersAddUpByTenantReasonAndAction() {
    ReclaimCounters counters = new ReclaimCounters();
    counters.add(report(new Item(FIRST, 104, 2), new Item(SECOND, 60, 1)));
    counters.add(report(new Item(FIRST, 100, 5)));
    assertThat(counters.readings())
        .containsExactly(
            new Reading(2, Kind.OVER_QUOTA, ReclaimAction.DELETE, 60, 1),
            new Reading(3, Kind.INACTIVE, ReclaimAction.SPILL, 204, 7));
    counters.forget(3);
    assertThat(counters.readings()).extracting(Reading::tenant).containsExactly(2);
  }

  @Test
  void aReportSaysWhatCameFree() {
    assertThat(report(new Item(FIRST, 104, 2), new Item(SECOND, 0, 0)).freedBytes()).isEqualTo(104);
    assertThatThrownBy(() -> new Item(FIRST, -1, 0)).hasMessageContaining("freedBytes=-1");
  }
}
