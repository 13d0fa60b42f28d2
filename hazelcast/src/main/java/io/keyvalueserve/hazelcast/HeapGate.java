package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.spi.impl.proxyservice.InternalProxyService;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.grid.kept.HeapCost;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reserves the Java heap that a request makes a member keep, before it is forwarded. What only
 * removes or reads needs none, unless it names an object that does not exist: Hazelcast would make
 * that.
 */
final class HeapGate {
  private static final int MOST_STATISTICS_BYTES = 64 << 10;

  private final InternalProxyService proxies;
  private final int partitions;

  /**
   * @param partitions how many the grid has
   */
  HeapGate(InternalProxyService proxies, int partitions) {
    this.proxies = proxies;
    this.partitions = partitions;
  }

  /**
   * Reserves what a request on an object makes a member keep.
   *
   * @param message has the grid's name for the object
   * @param elements how many it brings
   * @return null if it may be carried out; else why not, in words for the tenant
   */
  @Nullable String refusalOnObject(
      ClientMessage message, MessageDescriptor descriptor, DoorSession session, int elements) {
    Structure structure = descriptor.structure();
    if (structure == null) {
      return null;
    }
    TenantHoldings usage = session.visit().holdings();
    boolean isNew = !exists(structure, message, session);
    long bytes = isNew ? bytesOf(structure) : 0;
    if (descriptor.keeping() == Keeping.ELEMENTS) {
      String refusal = usage.refusalOfElement(longest(message));
      if (refusal != null) {
        return refusal;
      }
      bytes += message.getFrameLength() + elements * bytesOfElement(structure);
    }
    if (bytes > 0 && !usage.heap().reserve(bytes)) {
      return usage.heap().refusal();
    }
    Frame name = message.getStartFrame().next;
    if (isNew && name != null) {
      session.use(structure, name.content); // a client that makes no proxy asks for it again
    }
    return null;
  }

  /**
   * Reserves what a request takes that makes objects known to all members.
   *
   * @param message has the grid's names, each with its service
   * @return null if it may be carried out; else why not, in words for the tenant
   */
  @Nullable String refusalOfObjects(
      ClientMessage message, MessageDescriptor descriptor, DoorSession session) {
    Frame name = message.getStartFrame().next;
    boolean many = descriptor.rule() == MessageRule.NAMES_AND_SERVICES;
    if (many && name != null) {
      name = name.next;
    }
    long bytes = 0;
    while (name != null && !name.isEndFrame() && name.next != null) {
      Structure structure = Structure.ofService(text(name.next)).orElse(null);
      if (structure != null && !proxies.existsDistributedObject(structure.service(), text(name))) {
        bytes += bytesOf(structure);
      }
      name = many ? name.next.next : null;
    }
    TenantHoldings usage = session.visit().holdings();
    return bytes == 0 || usage.heap().reserve(bytes) ? null : usage.heap().refusal();
  }

  /**
   * Bounds the statistics of a client, of which a member keeps the last of each connection.
   *
   * @return null if a request has none, or they are short enough; else why not
   */
  static @Nullable String refusalOfStatistics(ClientMessage message, MessageDescriptor descriptor) {
    return descriptor.keeping() != Keeping.STATISTICS
            || message.getFrameLength() <= MOST_STATISTICS_BYTES
        ? null
        : "a client's statistics may have up to "
            + MOST_STATISTICS_BYTES
            + " bytes, and these have "
            + message.getFrameLength()
            + "; nothing was kept: turn the client's statistics off";
  }

  private boolean exists(Structure structure, ClientMessage message, DoorSession session) {
    Frame name = message.getStartFrame().next;
    if (name == null || session.usedLast(structure, name.content)) {
      return true;
    }
    if (!proxies.existsDistributedObject(structure.service(), text(name))) {
      return false;
    }
    session.use(structure, name.content);
    return true;
  }

  private long bytesOf(Structure structure) {
    return switch (structure) {
      case REPLICATED_MAP -> HeapCost.OBJECT + (long) partitions * HeapCost.PARTITION_PART;
      case RINGBUFFER, RELIABLE_TOPIC -> HeapCost.OBJECT + HeapCost.RINGBUFFER;
      case CARDINALITY_ESTIMATOR -> HeapCost.OBJECT + HeapCost.ESTIMATOR;
      case MULTI_MAP -> HeapCost.OBJECT + HeapCost.PARTITION_PART;
      default -> 2L * HeapCost.OBJECT;
    };
  }

  /** Returns what each element of a request takes besides its bytes. */
  private static long bytesOfElement(Structure structure) {
    return switch (structure) {
      case MULTI_MAP -> HeapCost.MULTIMAP_KEY + HeapCost.MULTIMAP_VALUE + 2 * HeapCost.DATA;
      case REPLICATED_MAP -> HeapCost.REPLICATED_ENTRY + 2 * HeapCost.DATA;
      case RINGBUFFER -> HeapCost.DATA;
      default -> HeapCost.ELEMENT + HeapCost.DATA;
    };
  }

  private static int longest(ClientMessage message) {
    int longest = 0;
    Frame name = message.getStartFrame().next;
    for (Frame part = name == null ? null : name.next; part != null; part = part.next) {
      longest = Math.max(longest, part.content.length);
    }
    return Math.max(0, longest - QuotaLimits.VALUE_HEAD_BYTES);
  }

  private static String text(Frame frame) {
    return new String(frame.content, StandardCharsets.UTF_8);
  }
}
