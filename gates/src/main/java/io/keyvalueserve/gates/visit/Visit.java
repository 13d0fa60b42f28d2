package io.keyvalueserve.gates.visit;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.billing.metering.UsageSink;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admission;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.gates.latency.LatencyMeter;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Session;
import io.keyvalueserve.tenancy.SessionRegistry;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A tenant at a door: one session of its client, or one HTTP request. All requests of all doors go
 * through a visit. It is the only place that admits, charges, meters and refuses.
 *
 * <p>A request passes through these {@linkplain State states}:
 *
 * <ol>
 *   <li>{@link #arrived} counts its bytes.
 *   <li>{@link #admit} takes it from the tenant's rates and spending. It is now {@code ADMITTED} or
 *       {@code DENIED}. {@link #exempt} admits a request that takes nothing.
 *   <li>An admitted request is {@link #served}, or {@link #prepay prepaid}: another path serves it,
 *       and its next admission takes nothing. A request that is {@link #refused} for want of a
 *       right or a quota need not be served: the next request is admitted from any state.
 *   <li>A denied request is {@link #turnedAway}, or is admitted anew on another path.
 *   <li>{@link #answered} counts the bytes of its answer, and {@link #took} its time.
 * </ol>
 *
 * <p>Usage goes to a {@link UsageSink}: the meter of the map that the request is about, or {@link
 * #apart} if it is about none.
 *
 * <p>One thread uses a visit from admission until the request is served or turned away. Any thread
 * may count arrivals and answers if the sink is thread-safe. Nothing allocates or blocks after the
 * visit was made. A wrong order of calls is a defect, which assertions find.
 */
public final class Visit {
  /** The state of the present request. */
  public enum State {
    /** No request is under way. */
    READY,
    /** The request was admitted, and not served yet. */
    ADMITTED,
    /** The request was admitted, and comes again on another path. */
    PREPAID,
    /** The request was not admitted, and its client was not told yet. */
    DENIED
  }

  private final TenantPolicy policy;
  private final Identity identity;
  private final Door door;
  private final Admission admission;
  private final TenantMeters.Meter meter;
  private final UsageMeter apart;
  private State state = State.READY;

  private Visit(TenantPolicy policy, Identity identity, Door door) {
    this.policy = policy;
    this.identity = identity;
    this.door = door;
    this.admission = policy.admissions().of(identity);
    this.meter = policy.meters().meter(identity, door);
    this.apart = meter(null);
  }

  /** Begins the visit of a tenant that has authenticated. */
  public static Visit begin(TenantPolicy policy, Identity identity, Door door) {
    return new Visit(policy, identity, door);
  }

  /** Returns the tenant, and the key that it has shown. */
  public Identity identity() {
    return identity;
  }

  /** Returns the door that the visitor came through. */
  public Door door() {
    return door;
  }

  /** Returns what the tenant keeps, and its limits. */
  public TenantHoldings holdings() {
    return admission.usage();
  }

  /** Returns the state of the present request. */
  public State state() {
    return state;
  }

  // ---- sessions

  /**
   * The reason why a session was not let in.
   *
   * @param entry never {@code ENTERED}
   * @param reason the words for the client; empty if its key is no longer valid
   */
  public record NoEntry(SessionRegistry.Entry entry, String reason) {}

  /**
   * Registers a session of the visitor. A limit or a reservation that keeps it out is audited.
   *
   * @return null if the session is in
   */
  public @Nullable NoEntry enter(Session session) {
    SessionRegistry.Entry entry = policy.sessions().register(session);
    return switch (entry) {
      case ENTERED -> null;
      case NO_LONGER_VALID -> new NoEntry(entry, "");
      case TOO_MANY -> noEntry(entry, "connection", holdings().refusalOfConnection());
      case RESERVED -> noEntry(entry, "member", SessionRegistry.RESERVED);
    };
  }

  private NoEntry noEntry(SessionRegistry.Entry entry, String object, String reason) {
    policy.audit().requestRefused(identity, door, object, reason);
    return new NoEntry(entry, reason);
  }

  /** Counts and audits a session that was let in, and is ready for requests. */
  public void entered(SocketAddress from) {
    meter.sessionBegan();
    policy.audit().loginAccepted(identity, door, from);
  }

  // ---- where usage goes

  /**
   * Returns the meter of the visitor's use of a map. Look it up once for many requests.
   *
   * @param map its own or another tenant's; null for requests about no map
   */
  public UsageMeter meter(@Nullable QualifiedName map) {
    return policy.usage().meter(identity.tenant(), identity.number(), map, SharingLevel.SHARED);
  }

  /** Returns the meter for requests about no map. Thread-safe. */
  public UsageMeter apart() {
    return apart;
  }

  // ---- a request

  /** Counts bytes that came from the client, whatever becomes of them. Any thread. */
  public void arrived(long bytes) {
    meter.bytesIn(bytes);
  }

  /** Counts bytes of requests as {@link #arrived(long)} does, and charges them. */
  public void arrived(UsageSink sink, long bytes) {
    meter.bytesIn(bytes);
    sink.add(Measure.BYTES_IN, bytes);
  }

  /**
   * Admits a request if the tenant's rates and spending allow it now. A prepaid request is admitted
   * without taking anything.
   *
   * @param measure what it will be charged as; null if only its rates count, as for a PING
   * @param operations 0 to 2^40
   * @param bytes of the request: 0 to 2^40
   * @return null if it is admitted, else what the client is to be told
   */
  public @Nullable NotAdmitted admit(@Nullable Measure measure, long operations, long bytes) {
    if (state == State.PREPAID || !admission.isLimited()) {
      state = State.ADMITTED;
      return null;
    }
    return note(admission.admit(measure, operations, bytes));
  }

  /** Admits operations of several kinds at once: all of them or none. */
  public @Nullable NotAdmitted admit(long reads, long writes, long deletes, long bytes) {
    if (state == State.PREPAID || !admission.isLimited()) {
      state = State.ADMITTED;
      return null;
    }
    return note(admission.admit(reads, writes, deletes, bytes));
  }

  private @Nullable NotAdmitted note(@Nullable NotAdmitted why) {
    state = why == null ? State.ADMITTED : State.DENIED;
    return why;
  }

  /** Admits a request that takes nothing, as to quit or to show another key. */
  public void exempt() {
    state = State.ADMITTED;
  }

  /** The request that was admitted comes again on another path. */
  public void prepay() {
    assert state == State.ADMITTED : state;
    state = State.PREPAID;
  }

  /** The request that was admitted is put aside: {@link #servedLater} charges it, if ever. */
  public void postpone() {
    assert state == State.ADMITTED : state;
    state = State.READY;
  }

  /**
   * Charges a request that was put aside, now that it is carried out.
   *
   * @param measure null if only its bytes are charged
   */
  public void servedLater(UsageSink sink, @Nullable Measure measure, long operations) {
    if (measure != null) {
      sink.add(measure, operations);
    }
  }

  /**
   * Charges the request that was admitted: it is carried out, or at least begun.
   *
   * @param measure null if only its bytes are charged
   */
  public void served(UsageSink sink, @Nullable Measure measure, long operations) {
    assert state == State.ADMITTED : state;
    state = State.READY;
    if (measure != null) {
      sink.add(measure, operations);
    }
  }

  /**
   * Charges a request of operations of several kinds, see {@link #served(UsageSink, Measure,
   * long)}.
   */
  public void served(UsageSink sink, long reads, long writes, long deletes) {
    assert state == State.ADMITTED : state;
    state = State.READY;
    sink.add(Measure.READS, reads);
    sink.add(Measure.WRITES, writes);
    sink.add(Measure.DELETES, deletes);
  }

  /**
   * Charges operations that a request has carried out, and whose number was not known when it was
   * admitted: those of a script. They are taken from the tenant's rates, which it may owe
   * afterwards.
   */
  public void carriedOut(UsageSink sink, long reads, long writes, long deletes) {
    admission.charge(reads, writes, deletes);
    sink.add(Measure.READS, reads);
    sink.add(Measure.WRITES, writes);
    sink.add(Measure.DELETES, deletes);
  }

  /** Counts operations in the member's meters, which the bill does not follow. Any thread. */
  public void operations(long count) {
    meter.operations(count);
  }

  /** Counts the request that was not admitted. */
  public void turnedAway(UsageSink sink, NotAdmitted why) {
    assert state == State.DENIED : state;
    state = State.READY;
    sink.add(why.isRefused() ? Measure.REFUSED : Measure.THROTTLED, 1);
  }

  /** Counts the request as throttled: too much of the tenant waits already. */
  public void heldOff(UsageSink sink) {
    state = State.READY;
    sink.add(Measure.THROTTLED, 1);
  }

  /** Counts the request as refused, because a quota is used up. */
  public void overQuota(UsageSink sink) {
    sink.add(Measure.REFUSED, 1);
  }

  /** Counts the request as refused, because nobody may ask for it: it has a name that is none. */
  public void malformed(UsageSink sink) {
    meter.refused();
    overQuota(sink);
  }

  /**
   * Counts the request as refused for want of a right, and audits it.
   *
   * @param object the name of what it asked for; may be empty
   * @param reason what the client is told
   */
  public void refused(UsageSink sink, String object, String reason) {
    malformed(sink);
    policy.audit().requestRefused(identity, door, object, reason);
  }

  /** Counts a key that was refused within the visit. */
  public void keyRefused() {
    meter.refused();
  }

  /** Audits a lock that the visitor took off, whoever had it. */
  public void unlocked(String object) {
    policy.audit().unlockForced(identity, door, object);
  }

  // ---- its answer

  /** Counts bytes of answers, takes them from the tenant's rate, and charges them. Any thread. */
  public void answered(UsageSink sink, long bytes) {
    answered(sink, bytes, 0);
  }

  /**
   * Counts and charges bytes of answers. Any thread.
   *
   * @param free how many of them are not taken from the tenant's rate: they say that it is used up
   */
  public void answered(UsageSink sink, long bytes, long free) {
    sink.add(Measure.BYTES_OUT, bytes);
    answeredAndCharged(bytes, free);
  }

  /** Counts bytes of answers that are charged already. Any thread. */
  public void answeredAndCharged(long bytes, long free) {
    meter.bytesOut(bytes);
    admission.sent(Math.max(0, bytes - free));
  }

  /** Records how long answered requests took, in nanoseconds each. Any thread. */
  public void took(long nanos, long requests) {
    meter.latency().lane().record(nanos, requests);
  }

  /** Returns the meter of the requests' times. */
  public LatencyMeter latency() {
    return meter.latency();
  }
}
