package io.keyvalueserve.hazelcast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table of all message types that are open to tenants: what is known of each is in one row. A
 * type that is not listed is refused; so are types that a later Hazelcast adds. The rows are in
 * {@link ClientMessages}, {@link MapMessages}, {@link OtherMapMessages} and {@link
 * CollectionMessages}.
 *
 * <p>Closed on purpose: user code on members (executors, interceptors, event journals, class
 * deployment; of entry processors only the operator's, see {@link ProcessorGate}), Jet, SQL for the
 * management center, dynamic configuration, management, XA, the CP subsystem, JCache, query caches,
 * vector collections, metadata-preserving bulk writes. Tests hold this table against Hazelcast's
 * own list of codecs.
 *
 * <p>Thread-safe. Looking up allocates nothing.
 */
final class MessageTable {
  /** The number by which the type of a request's answer is larger than the request's. */
  static final int ANSWER = 1;

  /** A type is 0xSSMM00: service, method, and 00 for a request. */
  private static final int REQUEST_SHIFT = 8;

  private static final int KIND_MASK = (1 << REQUEST_SHIFT) - 1;
  private static final int TYPE_BITS = 24;

  private static final @Nullable MessageDescriptor[] DESCRIPTORS =
      new MessageDescriptor[1 << (TYPE_BITS - REQUEST_SHIFT)];

  static {
    add(ClientMessages.rows());
    add(MapMessages.rows());
    add(OtherMapMessages.rows());
    add(CollectionMessages.rows());
  }

  private MessageTable() {}

  private static void add(List<MessageRow> rows) {
    for (MessageRow row : rows) {
      MessageDescriptor descriptor = row.describe();
      int index = descriptor.type() >>> REQUEST_SHIFT;
      if (DESCRIPTORS[index] != null) {
        throw new IllegalStateException("two rows have one type: " + descriptor);
      }
      DESCRIPTORS[index] = descriptor;
    }
  }

  /** Returns what is known of a type of request, or null if it is refused. */
  static @Nullable MessageDescriptor find(int messageType) {
    return (messageType & KIND_MASK) != 0 || messageType >>> TYPE_BITS != 0
        ? null
        : DESCRIPTORS[messageType >>> REQUEST_SHIFT];
  }

  /**
   * Returns what is known of a type of request.
   *
   * @throws IllegalArgumentException if it is refused
   */
  static MessageDescriptor get(int messageType) {
    MessageDescriptor descriptor = find(messageType);
    if (descriptor == null) {
      throw new IllegalArgumentException("no row is of this type: " + messageType);
    }
    return descriptor;
  }

  /** Returns the request that a type of message answers, or null if it answers none. */
  static @Nullable MessageDescriptor answeredBy(int messageType) {
    return find(messageType - ANSWER);
  }
}
