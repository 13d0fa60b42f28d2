package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.client.impl.protocol.codec.TransactionCommitCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCreateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionRollbackCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.FixedSizeTypesCodec;
import io.keyvalueserve.gates.heap.HeapAccount;
import io.keyvalueserve.grid.kept.HeapCost;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The open transactions of one session and the Java heap that their logs take. Each counts from
 * when it is asked for until it is committed, rolled back, or its connection is lost: Hazelcast
 * keeps one that has timed out, or whose commit has failed, until then.
 *
 * <p>The reader of the connection begins and ends, the writer answers, who closes it ends all.
 */
final class SessionTransactions {
  private static final int TRANSACTION_OFFSET =
      ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES;
  private static final int FAMILY_SHIFT = 16;

  /**
   * The time after its timeout when a transaction is rolled back, in case it is being committed.
   */
  private static final long GRACE_MILLIS = 10_000;

  private final TenantsTransactions.OfTenant tenant;
  private final HeapAccount heap;
  private final LongSupplier nanoTime;

  /**
   * The transactions whose beginning requests are not answered yet, by the numbers of these
   * requests.
   */
  private final Map<Long, Open> asked = new HashMap<>();

  private final Map<UUID, Open> open = new HashMap<>();

  /** Those that requests end that are not answered yet, by the requests' numbers. */
  private final Map<Long, UUID> ending = new HashMap<>();

  private long lookedNanos;
  private boolean ended;

  /** The known facts about an open transaction. */
  private static final class Open {
    final long overdueNanos;
    final Set<String> objects = new HashSet<>();
    long bytes = HeapCost.TRANSACTION;

    Open(long overdueNanos) {
      this.overdueNanos = overdueNanos;
    }
  }

  SessionTransactions(
      TenantsTransactions.OfTenant tenant, HeapAccount heap, LongSupplier nanoTime) {
    this.tenant = tenant;
    this.heap = heap;
    this.nanoTime = nanoTime;
    this.lookedNanos = nanoTime.getAsLong();
  }

  /**
   * Counts a transaction that a request begins.
   *
   * @return null if it may begin; else why not, in words for the tenant
   */
  synchronized @Nullable String begin(ClientMessage request) {
    if (ended) {
      return null; // nobody will be answered
    }
    if (!tenant.take()) {
      return tenant.refusal();
    }
    if (!heap.hold(HeapCost.TRANSACTION)) {
      tenant.give();
      return heap.refusal();
    }
    long timeout =
        Math.clamp(
            TransactionCreateCodec.decodeRequest(request).timeout, 0, TimeUnit.DAYS.toMillis(365));
    Open begun =
        new Open(nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeout + GRACE_MILLIS));
    Open before = asked.put(request.getCorrelationId(), begun);
    if (before != null) {
      release(before);
    }
    return null;
  }

  /**
   * Counts what a request adds to the log of its transaction, or to the objects that it uses.
   *
   * @return null if it may be carried out; else why not, in words for the tenant
   */
  synchronized @Nullable String add(ClientMessage request, MessageDescriptor descriptor) {
    UUID id = idOf(request);
    Open transaction = id == null ? null : open.get(id);
    if (transaction == null) {
      return null; // Hazelcast says that there is none
    }
    String object = objectOf(request);
    long bytes = transaction.objects.contains(object) ? 0 : HeapCost.OBJECT + 2L * object.length();
    if (descriptor.logged()) {
      bytes += HeapCost.TRANSACTION_RECORD + (long) request.getFrameLength();
    }
    if (bytes > 0) {
      if (!heap.hold(bytes)) {
        return heap.refusal();
      }
      transaction.bytes += bytes;
      transaction.objects.add(object);
    }
    return null;
  }

  /** A request commits a transaction or rolls it back; it counts until that is answered. */
  synchronized void end(ClientMessage request) {
    UUID id = idOf(request);
    if (id != null && open.containsKey(id)) {
      ending.put(request.getCorrelationId(), id);
    }
  }

  /** An answer is sent; nothing happens if it is to another request. */
  void answered(ClientMessage answer) {
    switch (answer.getMessageType()) {
      case ErrorsCodec.EXCEPTION_MESSAGE_TYPE -> failed(answer.getCorrelationId());
      case TransactionCreateCodec.RESPONSE_MESSAGE_TYPE -> begun(answer);
      case TransactionCommitCodec.RESPONSE_MESSAGE_TYPE,
          TransactionRollbackCodec.RESPONSE_MESSAGE_TYPE ->
          ended(answer.getCorrelationId());
      default -> {}
    }
  }

  private synchronized void failed(long correlation) {
    if (asked.isEmpty() && ending.isEmpty()) {
      return;
    }
    Open transaction = asked.remove(correlation);
    if (transaction != null) {
      release(transaction);
    }
    ending.remove(correlation); // Hazelcast keeps it, and so does the count
  }

  private synchronized void begun(ClientMessage answer) {
    Open transaction = asked.remove(answer.getCorrelationId());
    if (transaction != null) {
      open.put(TransactionCreateCodec.decodeResponse(answer), transaction);
    }
  }

  private synchronized void ended(long correlation) {
    UUID id = ending.remove(correlation);
    if (id != null) {
      forget(id);
    }
  }

  /** Forgets a transaction that Hazelcast has forgotten. */
  synchronized void forget(UUID id) {
    Open transaction = open.remove(id);
    if (transaction != null) {
      release(transaction);
    }
  }

  /** Returns those that timed out a while ago and that no request ends; none twice a second. */
  synchronized List<UUID> overdue() {
    long now = nanoTime.getAsLong();
    if (now - lookedNanos < TimeUnit.SECONDS.toNanos(1)) {
      return List.of();
    }
    lookedNanos = now;
    List<UUID> overdue = new ArrayList<>();
    open.forEach(
        (id, transaction) -> {
          if (now - transaction.overdueNanos > 0 && !ending.containsValue(id)) {
            overdue.add(id);
          }
        });
    return overdue;
  }

  /** The connection is closed: Hazelcast rolls all back. */
  synchronized void endAll() {
    if (!ended) {
      ended = true;
      asked.values().forEach(this::release);
      open.values().forEach(this::release);
      asked.clear();
      open.clear();
      ending.clear();
      tenant.leave();
    }
  }

  private void release(Open transaction) {
    heap.release(transaction.bytes);
    tenant.give();
  }

  private static @Nullable UUID idOf(ClientMessage request) {
    byte[] fields = request.getStartFrame().content;
    return fields.length < TRANSACTION_OFFSET + FixedSizeTypesCodec.UUID_SIZE_IN_BYTES
        ? null
        : FixedSizeTypesCodec.decodeUUID(fields, TRANSACTION_OFFSET);
  }

  private static String objectOf(ClientMessage request) {
    Frame name = request.getStartFrame().next;
    return (request.getMessageType() >> FAMILY_SHIFT)
        + ":"
        + (name == null ? "" : new String(name.content, StandardCharsets.UTF_8));
  }
}
