package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.internal.nio.Bits;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.util.collection.Long2ObjectHashMap;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The long way of a connection's messages: of each an object is made, however many reads and
 * fragments it comes in, and the door gets it. Before a client has authenticated its messages may
 * only be short and whole, as in Hazelcast. What has come in part is counted for all connections
 * together, and is bounded.
 */
final class WholeMessages {
  private final Connection connection;
  private final Consumer<ClientMessage> door;
  private final BooleanSupplier authenticated;
  private final UnansweredMessages unanswered;
  private final int mostUntrustedBytes;
  private final LongConsumer untrusted;
  private final UnfinishedMessages.OfConnection unfinished;
  private final long mostBytes;
  private final Long2ObjectHashMap<Parts> fragments = new Long2ObjectHashMap<>();
  private long fragmentBytes;
  private @Nullable MessageReader reader;
  private boolean trusted;

  /** The parts of a message in fragments that have come so far. */
  private static final class Parts {
    final ClientMessage message;
    long bytes;

    Parts(ClientMessage message, long bytes) {
      this.message = message;
      this.bytes = bytes;
    }
  }

  /**
   * @param door gets the messages
   * @param authenticated whether the client has authenticated; it stays so
   * @param mostUntrustedBytes how long a message may be before that
   * @param untrusted is told before that how many bytes a message has, in part or whole
   */
  WholeMessages(
      Connection connection,
      Consumer<ClientMessage> door,
      BooleanSupplier authenticated,
      int mostUntrustedBytes,
      LongConsumer untrusted,
      UnfinishedMessages.OfConnection unfinished,
      UnansweredMessages unanswered) {
    this.connection = connection;
    this.door = door;
    this.authenticated = authenticated;
    this.mostUntrustedBytes = mostUntrustedBytes;
    this.untrusted = untrusted;
    this.unfinished = unfinished;
    this.mostBytes = unfinished.mostOfOne();
    this.unanswered = unanswered;
  }

  /** The connection is closed. Any thread. */
  void closed() {
    unfinished.end();
  }

  /** Returns whether the client has authenticated. */
  boolean isTrusted() {
    if (!trusted) {
      trusted = authenticated.getAsBoolean();
    }
    return trusted;
  }

  /** Returns whether a message has been read in part, so that the next bytes are the rest of it. */
  boolean isMidway() {
    return reader != null;
  }

  /**
   * Reads on to the end of a message.
   *
   * @return how many messages the door got, 0 or 1; or -1 if the source ends within a message
   * @throws RuntimeException if it is no message, or one that takes too much memory; the connection
   *     is of no use any more
   */
  int read(ByteBuffer source) {
    boolean trustedNow = isTrusted();
    MessageReader reading = reader;
    if (reading == null) {
      reading =
          new MessageReader(
              trustedNow ? mostBytes : mostUntrustedBytes,
              mostBytes,
              bytes -> unfinished.holds(fragmentBytes + bytes));
      reader = reading;
    }
    ClientMessage message = reading.read(source);
    if (!trustedNow) {
      untrusted.accept(reading.bytes());
    }
    if (message == null) {
      unfinished.holds(fragmentBytes + reading.bytes());
      return -1;
    }
    reader = null;
    int done = whole(message, reading.bytes(), trustedNow);
    unfinished.holds(fragmentBytes);
    return done;
  }

  private int whole(ClientMessage message, long bytes, boolean trustedNow) {
    int flags = message.getHeaderFlags();
    if (ClientMessage.isFlagSet(flags, ClientMessage.UNFRAGMENTED_MESSAGE)) {
      deliver(message);
      return 1;
    }
    if (!trustedNow) {
      throw new IllegalStateException("a fragment of a message before the client authenticated");
    }
    return fragment(message, bytes, flags);
  }

  private int fragment(ClientMessage part, long bytes, int flags) {
    ClientMessage.Frame head = part.getStartFrame();
    if (head.content.length < Long.BYTES || head.next == null) {
      throw new IllegalStateException("a fragment that names no message or holds nothing of it");
    }
    long id = Bits.readLongL(head.content, ClientMessage.FRAGMENTATION_ID_OFFSET);
    part.dropFragmentationFrame();
    fragmentBytes += bytes;
    if (ClientMessage.isFlagSet(flags, ClientMessage.BEGIN_FRAGMENT_FLAG)) {
      Parts before = fragments.put(id, new Parts(part, bytes));
      if (before != null) {
        fragmentBytes -= before.bytes;
      }
      return 0;
    }
    Parts whole = fragments.get(id);
    if (whole == null) {
      throw new IllegalStateException("a fragment of a message that has not begun: id=" + id);
    }
    whole.message.merge(part);
    whole.bytes += bytes;
    if (whole.bytes > mostBytes) {
      throw new IllegalStateException(
          "fragments of a message of more than " + mostBytes + " bytes: send less in one request");
    }
    if (!ClientMessage.isFlagSet(flags, ClientMessage.END_FRAGMENT_FLAG)) {
      return 0;
    }
    fragments.remove(id);
    fragmentBytes -= whole.bytes;
    deliver(whole.message);
    return 1;
  }

  private void deliver(ClientMessage message) {
    message.setConnection(connection);
    unanswered.sent(message);
    door.accept(message);
  }
}
