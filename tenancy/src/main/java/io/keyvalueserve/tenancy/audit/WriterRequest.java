package io.keyvalueserve.tenancy.audit;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** A request to the writer's thread that somebody waits for. */
sealed interface WriterRequest {
  /** Returns the future that completes with the answer. */
  CompletableFuture<?> answer();

  /** A request to record an occurrence for certain. */
  record Durable(Occurrence occurrence, Instant time, CompletableFuture<AuditEvent> answer)
      implements WriterRequest {}

  /** A request to have all that was recorded before in the trail, whatever its window. */
  record Flush(CompletableFuture<Boolean> answer) implements WriterRequest {}
}
