package io.keyvalueserve.hazelcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.spending.LedgerSpent;
import io.keyvalueserve.billing.spending.SpendAdder;
import io.keyvalueserve.billing.spending.SpendCaps;
import io.keyvalueserve.billing.spending.SpendLimit;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: a tenant spends its cap once, however many members serve it, whoever of them adds up. */
final class SpendingMembersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final TenantName ACME = new TenantName("acme");
  private static final int NUMBER = DoorMember.number("acme");
  private static final long CENT = 10_000_000;

  private final DoorMember first = new DoorMember();
  private final List<String> join = List.of("127.0.0.1:" + first.member.memberPort());
  private final DoorMember second = new DoorMember(null, join);
  private final DoorMember third = new DoorMember(null, join);
  private final List<DoorMember> members = List.of(first, second, third);

  SpendingMembersTest() {
    for (DoorMember member : members) {
      member.member.capStore().subscribe(member.admissions.spendings()::apply);
      member.admissions.spendings().setPrices(DoorMember.aCentForEachWrite());
    }
  }

  @AfterEach
  void stop() {
    third.close();
    second.close();
    if (first.member.isRunning()) {
      first.close();
    }
  }

  private static void ledgerSays(DoorMember member, long nanos) {
    SpendAdder adder = member.admissions.spendings().adder();
    adder.setLedger(NUMBER, new LedgerSpent(YearMonth.now(ZoneOffset.UTC), nanos, Map.of()));
  }

  /** Writes until it may not, and returns how often it could. */
  private static int spend(DoorMember member) {
    Identity acme = new Identity(ACME, NUMBER, "key");
    int writes = 0;
    while (member.admissions.of(acme).admit(Measure.WRITES, 1, 10) == null) {
      writes++;
      assertThat(writes).as("there is a cap").isLessThan(1_000_000);
    }
    return writes;
  }

  private static long known(DoorMember member) {
    return requireNonNull(member.admissions.spendings().state(NUMBER)).spentNanos();
  }

  private void awaitKnown(long nanos) {
    for (DoorMember member : members) {
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(known(member)).isEqualTo(nanos));
    }
  }

  @Test
  void membersSpendTheCapTogetherAndAnotherGoesOnAddingUp() {
    var _ =
        new SpendCaps(second.member.capStore())
            .set(
                ACME,
                NUMBER,
                SpendLimit.refusing(BigDecimal.TEN, RateCard.paper().currency()),
                null);
    ledgerSays(first, 0);
    for (DoorMember member : members) {
      await().atMost(PATIENCE).until(() -> member.admissions.spendings().hasHeard(NUMBER));
    }
    int all = 0;
    for (int round = 0; round < 20; round++) {
      for (DoorMember member : members) {
        all += spend(member);
      }
      awaitKnown(all * CENT);
    }
    assertThat(all).as("each leaves the others their part").isBetween(998, 1000);
    ledgerSays(first, 5 * CENT);
    awaitKnown((all + 5) * CENT);
    first.close();
    ledgerSays(second, 2_000 * CENT);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(known(third)).isGreaterThanOrEqualTo(2_000 * CENT));
    assertThat(spend(third)).isZero();
  }
}
