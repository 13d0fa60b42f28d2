package io.keyvalueserve.resp.protocol;

/**
 * The limits on the size of a request.
 *
 * @param bulkBytes one argument, in bytes
 * @param arguments how many, the name included
 * @param requestBytes all arguments together, in bytes
 */
public record RequestLimits(int bulkBytes, int arguments, long requestBytes) {
  /** A line that is a request or begins a part of one, in bytes: as in Redis. */
  static final int LINE_BYTES = 64 * 1024;

  /** No client may announce a longer argument, in bytes: as in Redis. */
  static final int PROTOCOL_BULK_BYTES = 512 * 1024 * 1024;

  /** The most arguments that a client may send before it has authenticated: as in Redis. */
  static final int UNTRUSTED_ARGUMENTS = 10;

  /** The longest argument of such a client, in bytes: as in Redis. */
  static final int UNTRUSTED_BULK_BYTES = 16 * 1024;
}
