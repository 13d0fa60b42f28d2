package io.keyvalueserve.postgres;

import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.postgres.system.SystemCatalogs;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The parts that the connections of one server share, and the list of them. Thread-safe. */
final class DoorHost {
  private final PostgresConfig config;
  private final PostgresServices services;
  private final SystemCatalogs system;
  private final SecureRandom random = new SecureRandom();
  private final Set<PostgresConnection> open = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<Integer, PostgresConnection> byProcess =
      new ConcurrentHashMap<>();
  private final AtomicInteger clients = new AtomicInteger();
  private final CountDownLatch allGone = new CountDownLatch(1);
  private volatile boolean stopping;

  DoorHost(PostgresConfig config, PostgresServices services) {
    this.config = config;
    this.services = services;
    this.system = new SystemCatalogs(services.catalogs());
  }

  PostgresConfig config() {
    return config;
  }

  PostgresServices services() {
    return services;
  }

  TenantPolicy policy() {
    return services.policy();
  }

  SystemCatalogs system() {
    return system;
  }

  /** Takes a new connection in, unless there are too many or the server stops. */
  boolean admit(PostgresConnection connection) {
    if (clients.incrementAndGet() > config.mostClients() || stopping) {
      clients.decrementAndGet();
      return false;
    }
    open.add(connection);
    if (stopping) {
      connection.drain(); // it may have come too late to be told
    }
    return true;
  }

  /** Takes a connection off the list. Does nothing if it is not on it. */
  void departed(PostgresConnection connection) {
    if (open.remove(connection)) {
      clients.decrementAndGet();
    }
    if (stopping && open.isEmpty()) {
      allGone.countDown();
    }
  }

  int connections() {
    return clients.get();
  }

  int drain(Duration deadline) {
    stopping = true;
    open.forEach(PostgresConnection::drain);
    if (open.isEmpty()) {
      return 0;
    }
    try {
      if (allGone.await(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        return 0;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    int late = open.size();
    open.forEach(connection -> connection.end("the member stops"));
    return late;
  }

  // ---- requests to cancel

  /** Returns a number for a session that no other at this member has: 1 or more. */
  int register(PostgresConnection connection) {
    while (true) {
      int process = random.nextInt(1, Integer.MAX_VALUE);
      if (byProcess.putIfAbsent(process, connection) == null) {
        return process;
      }
    }
  }

  void unregister(int process, PostgresConnection connection) {
    byProcess.remove(process, connection);
  }

  byte[] secret(int bytes) {
    byte[] secret = new byte[bytes];
    random.nextBytes(secret);
    return secret;
  }

  /** Ends the statement of the session with this number, if the secret is the session's. */
  void cancel(int process, byte[] secret) {
    @Nullable PostgresConnection connection = byProcess.get(process);
    if (connection != null && MessageDigest.isEqual(connection.secret(), secret)) {
      connection.cancel();
    }
  }
}
