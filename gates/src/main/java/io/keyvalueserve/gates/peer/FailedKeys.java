package io.keyvalueserve.gates.peer;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.LongSupplier;

/**
 * Holds back addresses that show keys which are none, as {@link FailureAllowance} counts them: at
 * all doors of a member together. A valid key passes meanwhile, so that nobody can shut others out
 * who share an address; of 256 random bits nobody guesses anything anyway, and what is saved is the
 * audit trail and the member's time.
 *
 * <p>Addresses of IPv6 count by their first 64 bits, which is what one subscriber has.
 *
 * <p>Thread-safe; asked only when a key was refused.
 */
public final class FailedKeys {
  private static final int IPV6_SUBSCRIBER_BYTES = 8;

  private final FailureAllowance allowance;

  /**
   * Knows no address yet.
   *
   * @param nanoClock a monotonic clock, in nanoseconds
   */
  public FailedKeys(LongSupplier nanoClock) {
    this.allowance = new FailureAllowance(nanoClock);
  }

  /**
   * Counts a key that was refused.
   *
   * @return 0 if the address may go on, else in how many milliseconds it may try again
   */
  public long failed(SocketAddress from) {
    return allowance.take(subscriber(from));
  }

  /** Returns the number of addresses that are kept. */
  public int addresses() {
    return allowance.kept();
  }

  private static String subscriber(SocketAddress from) {
    InetAddress address = from instanceof InetSocketAddress internet ? internet.getAddress() : null;
    if (address == null) {
      return from.toString();
    }
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(
            address instanceof Inet6Address ? Arrays.copyOf(bytes, IPV6_SUBSCRIBER_BYTES) : bytes);
  }
}
