package io.keyvalueserve.server.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Holds back addresses that show keys which are none: 20 at once are let through to be told so, and
 * then one each half second. A valid key passes meanwhile, so that nobody can shut others out who
 * share an address; of 256 random bits nobody guesses anything anyway, and what is saved is the
 * audit trail and the member's time.
 *
 * <p>The generic cell rate algorithm (ITU-T I.371, annex A): of each address one time is kept, at
 * which it would have used up nothing. Addresses of IPv6 count by their first 64 bits, which is
 * what one subscriber has. Of addresses the latest 4,096 are kept, some 0.5 MB.
 *
 * <p>Thread-safe; asked only when a key was refused.
 */
final class FailedKeys {
  private static final int MOST_ADDRESSES = 4_096;
  private static final int AT_ONCE = 20;
  private static final long INTERVAL_NANOS = 500_000_000;
  private static final int IPV6_SUBSCRIBER_BYTES = 8;

  private final LongSupplier nanoClock;
  private final Map<String, Long> unused =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST_ADDRESSES;
        }
      };

  FailedKeys(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Counts a key that was refused.
   *
   * @return 0 if the address may go on, else in how many milliseconds it may try again
   */
  synchronized long failed(SocketAddress from) {
    long now = nanoClock.getAsLong();
    String address = subscriber(from);
    long known = unused.getOrDefault(address, now);
    long at = known - now > 0 ? known : now;
    long wait = at - now - (AT_ONCE - 1) * INTERVAL_NANOS;
    if (wait > 0) {
      return (wait + 999_999) / 1_000_000;
    }
    unused.put(address, at + INTERVAL_NANOS);
    return 0;
  }

  /** How many addresses are kept. */
  synchronized int addresses() {
    return unused.size();
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
