package io.keyvalueserve.maps;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * The ids by which the grid knows Hazelcast clients: in operations, and as holders of locks. They
 * are made of the client's tenant and of the id that the client says it has, so that whatever a
 * client says it is one of its own tenant's, and never a member. The same on all members.
 *
 * <p>An id is a UUID of version 8: 90 bits of a digest, and the tenant's number in the last 32.
 * Members have UUIDs of version 4.
 */
public final class ClientIds {
  /** The number in place of a tenant's if an id is no client's. */
  public static final int NOBODY = 0;

  private static final int VERSION = 8;
  private static final int VARIANT = 2;
  private static final long VERSION_BITS = 0xFL << 12;
  private static final long VARIANT_BITS = 3L << 62;
  private static final long NUMBER_BITS = 0xFFFF_FFFFL;

  private ClientIds() {}

  /**
   * The grid's id of a client.
   *
   * @param tenant the number of its tenant, 1 or more
   * @param said the id that it says it has
   */
  public static UUID of(int tenant, UUID said) {
    if (tenant < 1) {
      throw new IllegalArgumentException("tenant is 1 or more: " + tenant);
    }
    ByteBuffer text = ByteBuffer.allocate(Integer.BYTES + 2 * Long.BYTES);
    text.putInt(tenant)
        .putLong(said.getMostSignificantBits())
        .putLong(said.getLeastSignificantBits());
    ByteBuffer digest = ByteBuffer.wrap(sha256(text.array()));
    long most = digest.getLong() & ~VERSION_BITS;
    long least = digest.getLong() & ~(VARIANT_BITS | NUMBER_BITS);
    return new UUID(most | ((long) VERSION << 12), least | ((long) VARIANT << 62) | tenant);
  }

  /**
   * The number of the tenant of whose client an id is; {@link #NOBODY} if it is a member's. Takes
   * no lock and allocates nothing.
   */
  public static int tenantOf(UUID id) {
    return id.version() == VERSION && id.variant() == VARIANT
        ? (int) id.getLeastSignificantBits()
        : NOBODY;
  }

  private static byte[] sha256(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
