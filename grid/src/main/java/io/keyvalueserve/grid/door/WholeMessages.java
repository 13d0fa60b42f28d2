package io.keyvalueserve.grid.door;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessageReader;
import com.hazelcast.internal.nio.Bits;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.util.collection.Long2ObjectHashMap;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The long way of a connection's messages: Hazelcast's reader makes an object of each, however many
 * reads and fragments it comes in, and the door gets it. Before a client has authenticated its
 * messages may only be short and whole, as in Hazelcast.
 */
final class WholeMessages {
  private final Connection connection;
  private final Consumer<ClientMessage> door;
  private final BooleanSupplier authenticated;
  private final UnansweredMessages unanswered;
  private final int mostUntrustedBytes;
  private final Long2ObjectHashMap<ClientMessage> fragments = new Long2ObjectHashMap<>();
  private @Nullable ClientMessageReader reader;
  private boolean trusted;

  /**
   * @param door gets the messages
   * @param authenticated whether the client has authenticated; it stays so
   * @param mostUntrustedBytes how long a message may be before that
   */
  WholeMessages(
      Connection connection,
      Consumer<ClientMessage> door,
      BooleanSupplier authenticated,
      int mostUntrustedBytes,
      UnansweredMessages unanswered) {
    this.connection = connection;
    this.door = door;
    this.authenticated = authenticated;
    this.mostUntrustedBytes = mostUntrustedBytes;
    this.unanswered = unanswered;
  }

  /** Whether the client has authenticated. */
  boolean isTrusted() {
    if (!trusted) {
      trusted = authenticated.getAsBoolean();
    }
    return trusted;
  }

  /** Whether a message has been read in part, so that the next bytes are the rest of it. */
  boolean isMidway() {
    return reader != null;
  }

  /**
   * Reads on to the end of a message.
   *
   * @return how many messages the door got, 0 or 1; or -1 if the source ends within a message
   * @throws RuntimeException if it is no message; the connection is of no use any more
   */
  int read(ByteBuffer source) {
    if (reader == null) {
      reader = new ClientMessageReader(mostUntrustedBytes);
    }
    boolean trustedNow = isTrusted();
    if (!reader.readFrom(source, trustedNow)) {
      return -1;
    }
    ClientMessage message = reader.getClientMessage();
    reader = null;
    int flags = message.getHeaderFlags();
    if (ClientMessage.isFlagSet(flags, ClientMessage.UNFRAGMENTED_MESSAGE)) {
      deliver(message);
      return 1;
    }
    if (!trustedNow) {
      throw new IllegalStateException("a fragment of a message before the client authenticated");
    }
    return fragment(message, flags);
  }

  private int fragment(ClientMessage part, int flags) {
    ClientMessage.Frame head = part.getStartFrame();
    if (head.content.length < Long.BYTES || head.next == null) {
      throw new IllegalStateException("a fragment that names no message or holds nothing of it");
    }
    long id = Bits.readLongL(head.content, ClientMessage.FRAGMENTATION_ID_OFFSET);
    part.dropFragmentationFrame();
    if (ClientMessage.isFlagSet(flags, ClientMessage.BEGIN_FRAGMENT_FLAG)) {
      fragments.put(id, part);
      return 0;
    }
    ClientMessage whole = fragments.get(id);
    if (whole == null) {
      throw new IllegalStateException("a fragment of a message that has not begun: id=" + id);
    }
    whole.merge(part);
    if (!ClientMessage.isFlagSet(flags, ClientMessage.END_FRAGMENT_FLAG)) {
      return 0;
    }
    fragments.remove(id);
    deliver(whole);
    return 1;
  }

  private void deliver(ClientMessage message) {
    message.setConnection(connection);
    unanswered.sent(message);
    door.accept(message);
  }
}
