package io.keyvalueserve.resp.command;

import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admission;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.SessionRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** The member a client is connected to, as far as commands may know it. Thread-safe. */
public interface Member {
  /** Returns the facts that the member tells its clients. */
  ServerFacts facts();

  /** The port that clients connect to. */
  int port();

  /** Returns the transport that moves bytes: {@code io_uring}, {@code epoll} or {@code nio}. */
  String transport();

  /** Returns the most clients that it takes. */
  int mostClients();

  /** Returns the seconds without a byte after which it asks a client whether it is there. */
  int keepAliveSeconds();

  /** The longest value, in bytes. */
  int mostValueBytes();

  /** The largest collection that a command may build, in bytes. */
  int mostCollectionBytes();

  /**
   * Returns the most bytes of requests that are read of a client that does not read its replies.
   */
  long mostReadAheadBytes();

  /**
   * Returns the limits at which such a client is cut off, as Redis writes them: at so many bytes of
   * replies; at so many, after so many seconds.
   */
  String outputLimits();

  /** Returns the limits at which a subscriber that does not read is cut off, as Redis has them. */
  String messageLimits();

  /** Tells who is there. */
  Authenticator authenticator();

  /** The open sessions. */
  SessionRegistry sessions();

  /** Returns the limits of a tenant, and what it keeps. */
  Admission admission(Identity identity);

  /** Returns the maps of others on which a tenant has been granted anything, by name. */
  List<QualifiedName> grantedTo(Identity identity);

  /** Returns the time by which requests are timed, in nanoseconds since any moment. */
  long nanoTime();

  /** Returns the counters of what tenants did. */
  TenantMeters meters();

  /** The prices that hold. Does not block. */
  Supplier<RateCards> rates();

  /** The time. */
  InstantSource clock();

  /** Runs and keeps scripts. */
  Scripting scripting();
}
