package io.keyvalueserve.gates.admission;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Goal: what the catalogue says of quotas is what doors are told. */
class AdmissionsTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong clock = new AtomicLong(77);
  private final Admissions admissions = new Admissions(clock::get);

  @Test
  void whoHasNoQuotaIsAlwaysAdmitted() {
    admissions.apply(tenant(1, Quota.USUAL, 1));
    for (int i = 0; i < 100_000; i++) {
      assertThat(acme(1).admit(1, 1 << 20)).isNull();
    }
    assertThat(acme(1).throttled()).isZero();
  }

  @Test
  void admitsWhatComesInASecondAndTellsWhenThereIsMore() {
    admissions.apply(tenant(1, limited(Limit.OPERATIONS, 10), 1));
    clock.addAndGet(SECOND);
    for (int i = 0; i < 10; i++) {
      assertThat(acme(1).admit(1, 5)).isNull();
    }
    Throttled throttled = requireNonNull(acme(1).admit(1, 5));
    assertThat(throttled.message())
        .isEqualTo("the tenant's 10 operations a second are used up; retry after 101 ms");
    assertThat(acme(1).throttled()).isEqualTo(1);
    clock.addAndGet(throttled.retryAfterMillis() * 1_000_000);
    assertThat(acme(1).admit(1, 5)).isNull();
    assertThat(acme(1).admit(1, 5)).isNotNull();
  }

  @Test
  void bytesThatWereTooManyAreWaitedFor() {
    admissions.apply(tenant(1, limited(Limit.BYTES_IN, 1000).with(Limit.BYTES_OUT, 1000L), 1));
    clock.addAndGet(SECOND);
    assertThat(acme(1).admit(1, 3000)).as("what is large leaves debt").isNull();
    Throttled in = requireNonNull(acme(1).admit(1, 1));
    assertThat(in.resource()).isEqualTo(Resource.BYTES_IN);
    assertThat(in.retryAfterMillis()).isBetween(2000L, 2002L);
    clock.addAndGet(10 * SECOND);
    acme(1).sent(2500);
    Throttled out = requireNonNull(acme(1).admit(1, 1));
    assertThat(out.message()).startsWith("the tenant's 1000 bytes of answers a second are used up");
  }

  @Test
  void nothingIsTakenForWhatIsNotAdmitted() {
    admissions.apply(tenant(1, limited(Limit.OPERATIONS, 10).with(Limit.BYTES_IN, 100L), 1));
    clock.addAndGet(SECOND);
    assertThat(acme(1).admit(10, 0)).isNull();
    for (int i = 0; i < 1000; i++) {
      assertThat(acme(1).admit(1, 100)).isNotNull();
    }
    clock.addAndGet(SECOND / 10);
    assertThat(acme(1).admit(1, 100)).as("no bytes were counted meanwhile").isNull();
  }

  @Test
  void whoHasUsedUpTheQuotaMayStillLookAfterItself() {
    admissions.apply(tenant(1, limited(Limit.OPERATIONS, 1), 1));
    Admission acme = acme(1);
    while (acme.admit(1, 0) == null) {
      clock.addAndGet(1);
    }
    for (int i = 0; i < 200; i++) {
      assertThat(acme.admitAdministration()).isZero();
    }
    assertThat(acme.admitAdministration()).isBetween(20L, 21L);
    clock.addAndGet(21 * SECOND / 1000);
    assertThat(acme.admitAdministration()).isZero();
  }

  @Test
  void changesHoldForWhoIsThereAlready() {
    Admission session = acme(1);
    admissions.apply(tenant(1, limited(Limit.OPERATIONS, 1), 1));
    clock.addAndGet(SECOND);
    assertThat(session.admit(1, 0)).isNull();
    assertThat(session.admit(1, 0)).isNotNull();
    admissions.apply(tenant(1, Quota.USUAL, 2));
    assertThat(session.admit(1, 0)).isNull();
    admissions.apply(tenant(1, limited(Limit.OPERATIONS, 1), 1));
    assertThat(session.admit(1000, 0)).as("an older record changes nothing").isNull();
  }

  @Test
  void aTenantThatIsCreatedAnewHasNothingOfTheOldOne() {
    admissions.apply(tenant(1, limited(Limit.OPERATIONS, 1).with(Limit.CONNECTIONS, 1L), 1));
    admissions.apply(
        new Tenant(
            new TenantName("acme"),
            1,
            TenantState.DELETED,
            Instant.EPOCH,
            List.of(),
            limited(Limit.OPERATIONS, 1),
            2));
    assertThat(rates()).isEmpty();
    admissions.apply(tenant(2, Quota.USUAL, 3));
    assertThat(acme(2).admit(1000, 1000)).isNull();
    assertThat(admissions.mostConnectionsHere(identity(2))).isEqualTo(Quota.UNLIMITED);
  }

  @Test
  void tellsWhoeverSharesOfEveryLimit() {
    Map<RateKey, RateLimit> told = new HashMap<>();
    MemberShares shares = admissions.join(UUID.randomUUID(), 2, told::put);
    admissions.apply(tenant(1, limited(Limit.BYTES_OUT, 500).with(Limit.BURST, 100L), 1));
    assertThat(told)
        .containsEntry(new RateKey(1, Resource.BYTES_OUT), new RateLimit(500, 50))
        .containsEntry(new RateKey(1, Resource.OPERATIONS), RateLimit.UNLIMITED);
    assertThat(rates()).containsOnlyKeys(new RateKey(1, Resource.BYTES_OUT));
    assertThat(shares.share(new RateKey(1, Resource.BYTES_OUT)))
        .as("a member that has just joined others has nothing yet")
        .isZero();
    assertThatThrownBy(() -> admissions.join(UUID.randomUUID(), 2, told::put))
        .isInstanceOf(IllegalStateException.class);
  }

  private Map<RateKey, RateLimit> rates() {
    Map<RateKey, RateLimit> rates = new HashMap<>();
    admissions.forEachRate(rates::put);
    return rates;
  }

  private Admission acme(int number) {
    return admissions.of(identity(number));
  }

  private static Identity identity(int number) {
    return new Identity(new TenantName("acme"), number, "k");
  }

  private static Quota limited(Limit limit, long value) {
    return Quota.USUAL.with(limit, value);
  }

  private static Tenant tenant(int number, Quota quota, long revision) {
    return new Tenant(
        new TenantName("acme"),
        number,
        TenantState.ACTIVE,
        Instant.EPOCH,
        List.of(),
        quota,
        revision);
  }
}
