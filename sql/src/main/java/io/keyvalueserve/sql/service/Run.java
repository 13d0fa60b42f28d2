package io.keyvalueserve.sql.service;

import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.sql.RunningStatement;
import io.keyvalueserve.sql.run.Execution;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A statement that runs: who it is for, and what it has done. Thread-safe. */
final class Run {
  private final String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  private final Visit visit;
  private final String client;
  private final String sql;
  private final Instant began = Instant.now();
  private final Execution execution;
  private final AtomicLong returned = new AtomicLong();

  Run(Visit visit, String client, String sql, Execution execution) {
    this.visit = visit;
    this.client = client;
    this.sql = sql;
    this.execution = execution;
  }

  String id() {
    return id;
  }

  int tenant() {
    return visit.identity().number();
  }

  Execution execution() {
    return execution;
  }

  void returned(long rows) {
    returned.addAndGet(rows);
  }

  void cancel(String reason) {
    execution.cancel(reason);
  }

  RunningStatement shown() {
    return new RunningStatement(
        id,
        visit.identity().tenant().value(),
        tenant(),
        visit.door().label(),
        client,
        sql,
        began,
        execution.examined(),
        returned.get(),
        execution.heldBytes());
  }
}
