package io.keyvalueserve.resp.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.tenancy.TenantName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The name of a channel, or a pattern, with the name of its owner: {@code acme//news}. Names of
 * maps are qualified with one slash. Names of channels may have slashes of their own, so here it is
 * two.
 *
 * @param owner the tenant whose channel it is
 * @param name the name that the owner has for it
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares addresses
public record ChannelAddress(TenantName owner, byte[] name) {
  private static final int SEPARATOR_LENGTH = 2;
  private static final int MOST_OWNER_LENGTH = 63;

  /** Reads a name; null if it names no owner, and so is a channel of who says it. */
  public static @Nullable ChannelAddress parse(byte[] said) {
    int end = ownerLength(said, 0, said.length);
    return end < 0
        ? null
        : new ChannelAddress(
            new TenantName(new String(said, 0, end, US_ASCII)),
            Arrays.copyOfRange(said, end + SEPARATOR_LENGTH, said.length));
  }

  /** Returns the length of the owner's name at the beginning of a name; -1 if it has none. */
  public static int ownerLength(byte[] bytes, int offset, int length) {
    int most = Math.min(length - SEPARATOR_LENGTH, MOST_OWNER_LENGTH);
    for (int i = 0; i <= most; i++) {
      byte next = bytes[offset + i];
      if (next == '/') {
        return i > 0
                && bytes[offset + i + 1] == '/'
                && bytes[offset] != '-'
                && bytes[offset + i - 1] != '-'
            ? i
            : -1;
      }
      boolean isOfName =
          (next >= 'a' && next <= 'z') || (next >= '0' && next <= '9') || next == '-';
      if (!isOfName) {
        return -1;
      }
    }
    return -1;
  }

  /** Returns the beginning of the names by which others call a tenant's channels. */
  public static byte[] alias(TenantName owner) {
    return (owner.value() + "//").getBytes(US_ASCII);
  }
}
