package io.keyvalueserve.server;

import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.reservation.MemoryRoom;
import io.keyvalueserve.gates.reservation.ReservationDirectory;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.CatalogueException.Kind;
import io.keyvalueserve.tenancy.Tenant;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of the members, and the part of reserved memory that this member keeps. Each member
 * keeps the part that it has of all memory. Asks the others every few seconds, as members come and
 * go. Thread-safe.
 */
final class ReservedMemory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReservedMemory.class);

  private final RepeatedWarning failures =
      new RepeatedWarning(LOG, "the members' memory is not known");
  private static final String TOPIC = "memory.capacity";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final GridMember grid;
  private final ReservationDirectory reserved;
  private final Admissions admissions;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kvs-reserved").daemon().factory());
  private volatile long clusterBytes;

  /** Begins; to be told of changes from then on. */
  ReservedMemory(GridMember grid, ReservationDirectory reserved, Admissions admissions) {
    this.grid = grid;
    this.reserved = reserved;
    this.admissions = admissions;
    this.clusterBytes = grid.maps().capacityBytes();
    grid.answerers().add(TOPIC, nothing -> Long.toString(grid.maps().capacityBytes()));
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      clusterBytes = sum(ask());
      keep();
    } catch (CatalogueException e) {
      LOG.debug("what is reserved stays as it was: {}", e.getMessage());
    } catch (RuntimeException e) {
      failures.because(e);
    }
  }

  /** Has this member keep its part of what is reserved now. Does not block. */
  void keep() {
    Map<Integer, Long> bytes = reserved.bytesByTenant();
    double part = (double) grid.maps().capacityBytes() / Math.max(1, clusterBytes);
    for (Tenant tenant : admissions.tenants()) {
      double once = bytes.getOrDefault(tenant.number(), 0L);
      long here = (long) (once * grid.quotas().copies() * Math.min(1, part));
      admissions.usage(tenant.name().value()).setKeptBytesHere(here);
    }
  }

  private static long sum(Map<String, Long> byMember) {
    return byMember.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Returns the memory that the cluster has now. Asks all members.
   *
   * @throws CatalogueException {@code CANNOT_RESERVE} if one gave no answer
   */
  MemoryRoom room() {
    return new MemoryRoom(sum(ask()), grid.quotas().copies());
  }

  /**
   * The memory of one member. Asks all.
   *
   * @throws CatalogueException as {@link #room}
   */
  long of(MemberInfo member) {
    return ask().getOrDefault(member.address(), 0L);
  }

  private Map<String, Long> ask() {
    List<MemberAnswer> answers = grid.questioner().ask(TOPIC, "", PATIENCE);
    Map<String, Long> bytes = new HashMap<>();
    for (MemberAnswer answer : answers) {
      String text = answer.text();
      if (text == null) {
        throw new CatalogueException(
            Kind.CANNOT_RESERVE,
            "member "
                + answer.member()
                + " did not say how much memory it has: try again when all members answer");
      }
      bytes.put(answer.member(), Long.parseLong(text));
    }
    return bytes;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
