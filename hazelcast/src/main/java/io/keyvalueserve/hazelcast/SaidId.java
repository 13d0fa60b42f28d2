package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.ClientEndpoint;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.FixedSizeTypesCodec;
import com.hazelcast.internal.nio.Connection;
import io.keyvalueserve.maps.ClientIds;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The id that a client said it has as it authenticated. Nobody but the client itself is to be told
 * of it, and nothing is decided by it: the grid knows the client by another, see {@link ClientIds}.
 *
 * @param id null if it said none
 */
record SaidId(@Nullable UUID id) {
  /** No client has it. */
  private static final UUID NIL = new UUID(0, 0);

  /** The offset of the id in both kinds of authentication. */
  private static final int OFFSET = ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES;

  private static final int BYTES = 1 + 2 * Long.BYTES;

  /** Returns the id that an authentication says. */
  static SaidId in(ClientMessage authentication) {
    byte[] first = authentication.getStartFrame().content;
    return new SaidId(
        first.length < OFFSET + BYTES ? null : FixedSizeTypesCodec.decodeUUID(first, OFFSET));
  }

  /**
   * Notes it for a connection.
   *
   * @return false if it has authenticated before, or has tried to
   */
  @SuppressWarnings("unchecked") // Hazelcast's attribute map is a raw type
  boolean note(Connection connection) {
    return connection.attributeMap().putIfAbsent(SaidId.class, this) == null;
  }

  private static @Nullable UUID of(Connection connection) {
    SaidId said = (SaidId) connection.attributeMap().get(SaidId.class);
    return said == null ? null : said.id();
  }

  /**
   * The grid's id of the client that has just logged in.
   *
   * @throws RefusedException if nobody has
   */
  static UUID inTheGrid(Connection connection) {
    DoorSession session = DoorSession.of(connection);
    UUID said = of(connection);
    if (session == null || said == null) {
      throw new MessageRefusedException("the client has not authenticated");
    }
    return ClientIds.of(session.identity().number(), said);
  }

  /**
   * Returns the id by which a client is told who did something: its own id if it was the client
   * itself, else the nil UUID.
   *
   * @param who the grid's id of who it was
   */
  static UUID told(@Nullable UUID who, ClientEndpoint client) {
    UUID said = who != null && who.equals(client.getUuid()) ? of(client.getConnection()) : null;
    return said == null ? NIL : said;
  }
}
