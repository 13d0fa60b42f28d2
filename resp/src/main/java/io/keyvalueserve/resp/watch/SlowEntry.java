package io.keyvalueserve.resp.watch;

import java.util.List;

/**
 * A slow request.
 *
 * @param id rising by one with each, within its tenant and member
 * @param unixSeconds when it was answered
 * @param micros how long it took
 * @param arguments its name and arguments, cut
 * @param address where its client connects from
 * @param clientName what its client calls itself; may be empty
 */
public record SlowEntry(
    long id,
    long unixSeconds,
    long micros,
    List<byte[]> arguments,
    String address,
    String clientName) {
  private static final int OVERHEAD_BYTES = 128;
  private static final int ARGUMENT_OVERHEAD_BYTES = 24;

  /** Returns about how much memory it takes, in bytes. */
  int bytes() {
    int sum = OVERHEAD_BYTES + address.length() + clientName.length();
    for (byte[] argument : arguments) {
      sum += ARGUMENT_OVERHEAD_BYTES + argument.length;
    }
    return sum;
  }
}
