package io.keyvalueserve.gates.visit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.gates.visit.Visit.State;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Session;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: whatever path a request takes through a door, it is admitted once and charged once. */
class VisitTest {
  private static final long SECOND = 1_000_000_000L;
  private static final TenantName ACME = new TenantName("acme");
  private static final Identity WHO = new Identity(ACME, 1, "key");
  private static final QualifiedName MAP = new QualifiedName(ACME, MapName.DEFAULT);
  private static final SocketAddress HERE = InetSocketAddress.createUnresolved("here", 1);

  private final AtomicLong clock = new AtomicLong(SECOND);
  private final Admissions admissions = new Admissions(clock::get);
  private final UsageBook book = new UsageBook(UUID.randomUUID(), 0);
  private final TenantMeters meters = new TenantMeters(2);
  private final List<String> audited = new ArrayList<>();
  private final SessionRegistry sessions = new SessionRegistry(_ -> true, _ -> 1);
  private final TenantPolicy policy =
      new TenantPolicy(
          new Nobody(),
          sessions,
          meters,
          book,
          new GrantDirectory(new TenantDirectory(false), InstantSource.system()),
          admissions,
          new Audit());

  private Visit visit() {
    return Visit.begin(policy, WHO, Door.RESP);
  }

  /** Lets the tenant do so many operations now, and no more. */
  private void allow(long operations) {
    admissions.apply(
        new Tenant(
            ACME,
            1,
            TenantState.ACTIVE,
            Instant.EPOCH,
            List.of(),
            Quota.USUAL.with(Limit.OPERATIONS, operations),
            1));
    clock.addAndGet(SECOND);
  }

  /** Puts a visit into a state. */
  private Visit in(State state) {
    allow(1);
    Visit visit = visit();
    switch (state) {
      case READY -> {}
      case ADMITTED -> assertThat(visit.admit(Measure.READS, 1, 0)).isNull();
      case PREPAID -> {
        assertThat(visit.admit(Measure.READS, 1, 0)).isNull();
        visit.prepay();
      }
      case DENIED -> {
        assertThat(visit().admit(Measure.READS, 1, 0)).isNull();
        assertThat(visit.admit(Measure.READS, 1, 0)).isNotNull();
      }
    }
    assertThat(visit.state()).isEqualTo(state);
    return visit;
  }

  @ParameterizedTest
  @EnumSource
  void aRequestIsAdmittedFromEveryState(State state) {
    Visit visit = in(state);
    boolean hasLeft = state == State.READY || state == State.PREPAID;
    assertThat(visit.admit(Measure.READS, 1, 0) == null)
        .as("one operation was allowed; a prepaid one was taken before")
        .isEqualTo(hasLeft);
    assertThat(visit.state()).isEqualTo(hasLeft ? State.ADMITTED : State.DENIED);
  }

  @ParameterizedTest
  @EnumSource
  void onlyAnAdmittedRequestIsServed(State state) {
    Visit visit = in(state);
    UsageMeter meter = visit.meter(MAP);
    if (state == State.ADMITTED) {
      visit.served(meter, Measure.READS, 1);
      assertThat(visit.state()).isEqualTo(State.READY);
      assertThat(charged()).isEqualTo(Map.of(Measure.READS, 1L));
    } else {
      assertThatThrownBy(() -> visit.served(meter, Measure.READS, 1))
          .isInstanceOf(AssertionError.class);
      assertThatThrownBy(() -> visit.served(meter, 1, 0, 0)).isInstanceOf(AssertionError.class);
      assertThat(charged()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyAnAdmittedRequestIsPrepaid(State state) {
    Visit visit = in(state);
    if (state == State.ADMITTED) {
      visit.prepay();
      assertThat(visit.state()).isEqualTo(State.PREPAID);
    } else {
      assertThatThrownBy(visit::prepay).isInstanceOf(AssertionError.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyADeniedRequestIsTurnedAway(State state) {
    Visit visit = in(state);
    NotAdmitted why = null;
    while (why == null) {
      why = admissions.of(WHO).admit(1, 0);
    }
    NotAdmitted told = why;
    UsageMeter meter = visit.meter(MAP);
    if (state == State.DENIED) {
      visit.turnedAway(meter, told);
      assertThat(visit.state()).isEqualTo(State.READY);
      assertThat(charged()).isEqualTo(Map.of(Measure.THROTTLED, 1L));
    } else {
      assertThatThrownBy(() -> visit.turnedAway(meter, told)).isInstanceOf(AssertionError.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anExemptRequestTakesNothing(State state) {
    Visit visit = in(state);
    visit.exempt();
    visit.served(visit.meter(MAP), null, 1);
    assertThat(charged()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aRefusalIsCountedAndAuditedInEveryState(State state) {
    Visit visit = in(state);
    visit.refused(visit.meter(MAP), "acme/default", "no grant");
    assertThat(visit.state()).isEqualTo(state);
    assertThat(charged()).isEqualTo(Map.of(Measure.REFUSED, 1L));
    assertThat(audited).containsExactly("acme RESP acme/default: no grant");
    assertThat(meters.reading(WHO, Door.RESP).refused()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatIsHeldOffLeavesNothingPaid(State state) {
    Visit visit = in(state);
    visit.heldOff(visit.meter(MAP));
    assertThat(visit.state()).isEqualTo(State.READY);
    assertThat(charged()).isEqualTo(Map.of(Measure.THROTTLED, 1L));
  }

  @Test
  void aPrepaidRequestIsTakenOnce() {
    allow(1);
    Visit visit = visit();
    assertThat(visit.admit(1, 0, 0, 10)).isNull();
    visit.prepay();
    assertThat(visit.admit(1, 0, 0, 10)).isNull();
    visit.served(visit.meter(MAP), 1, 0, 0);
    assertThat(visit.admit(1, 0, 0, 10)).isNotNull();
    assertThat(charged()).isEqualTo(Map.of(Measure.READS, 1L));
  }

  @Test
  void bytesAreCountedChargedAndTakenFromTheRate() {
    admissions.apply(
        new Tenant(
            ACME,
            1,
            TenantState.ACTIVE,
            Instant.EPOCH,
            List.of(),
            Quota.USUAL.with(Limit.BYTES_OUT, 100L),
            1));
    clock.addAndGet(SECOND);
    Visit visit = visit();
    UsageMeter meter = visit.meter(MAP);
    visit.arrived(meter, 30);
    visit.answered(meter, 1000, 1000);
    assertThat(visit.admit(Measure.READS, 1, 0)).as("free bytes take nothing").isNull();
    visit.answered(meter, 1000);
    assertThat(visit.admit(Measure.READS, 1, 0)).isNotNull();
    assertThat(charged()).isEqualTo(Map.of(Measure.BYTES_IN, 30L, Measure.BYTES_OUT, 2000L));
    TenantMeters.Reading reading = meters.reading(WHO, Door.RESP);
    assertThat(reading.bytesIn()).isEqualTo(30);
    assertThat(reading.bytesOut()).isEqualTo(2000);
  }

  @Test
  void aTabSettlesWithTheMeterThatItWasOpenedFor() {
    Visit visit = visit();
    Tab tab = new Tab();
    tab.add(Measure.READS, 5);
    tab.open(visit.meter(MAP));
    tab.add(Measure.WRITES, 2);
    tab.add(Measure.WRITES, 1);
    tab.open(null);
    tab.add(Measure.WRITES, 7);
    tab.settle();
    assertThat(charged())
        .as("only what the meter was open for")
        .isEqualTo(Map.of(Measure.WRITES, 3L));
  }

  @Test
  void aSessionBeyondTheLimitIsKeptOutAndAudited() {
    Visit visit = visit();
    assertThat(visit.enter(new Connection())).isNull();
    visit.entered(HERE);
    Visit.NoEntry why = requireNonNull(visit.enter(new Connection()));
    assertThat(why.entry()).isEqualTo(SessionRegistry.Entry.TOO_MANY);
    assertThat(audited).hasSize(2);
    assertThat(audited.getFirst()).isEqualTo("acme RESP in from here/<unresolved>:1");
    assertThat(audited.getLast()).isEqualTo("acme RESP connection: " + why.reason());
    assertThat(meters.reading(WHO, Door.RESP).sessions()).isEqualTo(1);
  }

  @Test
  void aReservedMemberIsAuditedAndSaid() {
    sessions.admitOnly(_ -> false);
    Visit.NoEntry why = requireNonNull(visit().enter(new Connection()));
    assertThat(why.reason()).isEqualTo(SessionRegistry.RESERVED);
    assertThat(audited).containsExactly("acme RESP member: " + SessionRegistry.RESERVED);
  }

  /** What was charged since the last time, of all maps. */
  private Map<Measure, Long> charged() {
    Map<Measure, Long> sums = new java.util.EnumMap<>(Measure.class);
    for (UsageEvent event : book.flush(1)) {
      for (Measure measure : Measure.values()) {
        long count = event.quantities().of(measure);
        if (count != 0) {
          long _ = sums.merge(measure, count, Long::sum);
        }
      }
    }
    return sums;
  }

  private static final class Connection implements Session {
    @Override
    public Identity identity() {
      return WHO;
    }

    @Override
    public void end(String reason) {}
  }

  private static final class Nobody implements Authenticator {
    @Override
    public Authentication authenticate(String tenant, byte[] key) {
      return Authentication.Refused.REFUSED;
    }

    @Override
    public Authentication authenticateToken(byte[] key) {
      return Authentication.Refused.REFUSED;
    }

    @Override
    public Authentication authenticateAnonymous() {
      return Authentication.Refused.REFUSED;
    }
  }

  private final class Audit implements AccessAudit {
    @Override
    public void loginAccepted(Identity identity, Door door, SocketAddress from) {
      audited.add(identity.tenant() + " " + door + " in from " + from);
    }

    @Override
    public void loginRefused(String shown, Door door, SocketAddress from) {
      audited.add("refused " + shown);
    }

    @Override
    public void requestRefused(Identity identity, Door door, String object, String reason) {
      audited.add(identity.tenant() + " " + door + " " + object + ": " + reason);
    }

    @Override
    public void unlockForced(Identity identity, Door door, String object) {
      audited.add("unlocked " + object);
    }
  }
}
