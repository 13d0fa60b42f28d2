package io.keyvalueserve.grid.space;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.partition.NoDataMemberInClusterException;
import com.hazelcast.spi.exception.DistributedObjectDestroyedException;
import com.hazelcast.spi.exception.RetryableException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.operationservice.impl.PendingInvocations;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.maps.ExternalStoreException;
import io.keyvalueserve.maps.LoadingException;
import io.keyvalueserve.maps.LogRefusedException;
import io.keyvalueserve.maps.LogUnreadableException;
import io.keyvalueserve.maps.MemoryShortException;
import io.keyvalueserve.maps.NativeMemoryFullException;
import io.keyvalueserve.maps.PartitionLostException;
import io.keyvalueserve.maps.QuotaUsedException;
import io.keyvalueserve.maps.SpillUnreadableException;
import io.keyvalueserve.maps.TenantUnreadableException;
import io.keyvalueserve.tenancy.log.FailureLines;
import java.util.HexFormat;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Translates what Hazelcast throws into what a client is told, in words that name no member, class
 * or tenant.
 */
public final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
  private static final FailureLines LINES = new FailureLines();

  private Failures() {}

  /** The failure that stands for an exception. One that nobody expects is logged. */
  public static Failure of(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return switch (cause) {
      case EngineException e -> e.failure();
      case IndeterminateOperationStateException e -> inDoubt(String.valueOf(e.getMessage()));
      case MemberLeftException e -> timeout("a member of the cluster was lost");
      case OperationTimeoutException e -> timeout("no answer in time");
      case TimeoutException e -> timeout("no answer in time");
      case HazelcastInstanceNotActiveException e -> unavailable("the member is shutting down");
      case NoDataMemberInClusterException e -> unavailable("no member holds data");
      case SplitBrainProtectionException e -> unavailable("too few members are present");
      case DistributedObjectDestroyedException e -> unavailable("the map is being deleted");
      case NativeMemoryFullException e ->
          new Failure(Kind.FULL, "the memory is full; nothing was changed");
      case MemoryShortException e ->
          new Failure(Kind.FULL, "the memory is full; nothing was changed");
      case ExternalStoreException e ->
          new Failure(
              e.isPassing() ? Kind.UNAVAILABLE : Kind.NOT_STORABLE, String.valueOf(e.getMessage()));
      case TenantUnreadableException e ->
          new Failure(Kind.UNAVAILABLE, String.valueOf(e.getMessage()));
      case SpillUnreadableException e ->
          new Failure(Kind.NOT_LOGGED, "the member cannot read the key from its disk");
      case QuotaUsedException e -> new Failure(Kind.QUOTA, String.valueOf(e.getMessage()));
      case LogRefusedException e when e.isDiskFull() -> Failure.diskFull();
      case LogRefusedException e when e.isMakingRoom() -> Failure.makingRoom();
      case LogRefusedException e ->
          new Failure(Kind.NOT_LOGGED, "the member cannot write to its disk; nothing was changed");
      case LoadingException e ->
          new Failure(Kind.LOADING, "the member is loading its data and has not come to this key");
      case LogUnreadableException e ->
          new Failure(Kind.NOT_LOGGED, "the member cannot read the key from its disk");
      case PartitionLostException e -> unavailable("the members that have this key are down");
      case RetryableHazelcastException e
          when PendingInvocations.NO_MAJORITY.equals(e.getMessage()) ->
          noMajority();
      case RuntimeException e when e instanceof RetryableException ->
          unavailable("the cluster is changing");
      default -> internal("an operation failed", cause);
    };
  }

  /** The exception that stands for another. */
  static EngineException exception(Throwable thrown) {
    return new EngineException(of(thrown));
  }

  /** A failure that nobody expects: the client gets a reference, the log has the rest under it. */
  static Failure internal(String what, Throwable cause) {
    String reference = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    FailureLines.Line line = LINES.take(cause);
    if (line == null) {
      LOG.debug("{}, reference {}", what, reference, cause);
    } else if (line.hasTrace()) {
      LOG.error("{}, reference {}", what, reference, cause);
    } else {
      LOG.error("{}, reference {}: {}", what, reference, line.text());
    }
    return new Failure(Kind.INTERNAL, "internal error, reference " + reference);
  }

  /** The command was carried out, but that may not last. */
  static Failure inDoubt(String why) {
    return new Failure(Kind.IN_DOUBT, why);
  }

  /** A majority of the cluster is out of reach, and nothing was done. */
  static Failure noMajority() {
    return new Failure(Kind.UNAVAILABLE, PendingInvocations.NO_MAJORITY);
  }

  /** A majority of the cluster was out of reach before a write could be answered. */
  static Failure withoutMajority() {
    return inDoubt(
        "the member lost the majority of its cluster while it wrote: the write may or may not take"
            + " effect; read the key again");
  }

  /** The disk failed in the middle of a command. */
  static Failure partly() {
    return inDoubt(
        "the member's disk failed while the command was carried out: a part of it may have been;"
            + " read the key again");
  }

  private static Failure timeout(String why) {
    return new Failure(Kind.TIMEOUT, why + "; the command may or may not have taken effect");
  }

  private static Failure unavailable(String why) {
    return new Failure(Kind.UNAVAILABLE, why + "; try again later");
  }
}
