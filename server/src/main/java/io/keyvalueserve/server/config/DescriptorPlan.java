package io.keyvalueserve.server.config;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * The connections that each door may have, so that the process never runs out of file descriptors.
 *
 * <p>A reserve is kept for files, the log on the disk and members. An eighth of the rest is for
 * HTTP and an eighth for Hazelcast clients. Redis clients get the remainder, with what those two do
 * not need.
 *
 * @param descriptors file descriptors that the process may open; 0 if unknown
 * @param respClients most connections of Redis clients
 * @param httpConnections most HTTP connections that have shown a key
 * @param note says what was made smaller than configured; empty if nothing was
 */
public record DescriptorPlan(
    long descriptors, int respClients, int httpConnections, Optional<String> note) {
  private static final long LEAST_RESERVE = 256;
  private static final int RESERVE_PART = 4;
  private static final int HTTP_PART = 8;
  private static final int HAZELCAST_PART = 8;
  private static final int HEAP_PART = 8;
  private static final int LEAST = 16;
  private static final int MOST_HTTP = 10_000;

  /** Heap that an HTTP connection takes with nothing buffered. */
  private static final int HTTP_BYTES = 24 * 1024;

  /**
   * Fits the doors to a process.
   *
   * @param descriptors file descriptors that the process may open; 0 if unknown
   * @param respClients the configured most connections of Redis clients
   * @param httpConnections the configured most HTTP connections; 0 for what fits
   * @param heapBytes the largest size of the Java heap
   */
  public static DescriptorPlan fit(
      long descriptors, int respClients, int httpConnections, long heapBytes) {
    long wantedHttp =
        httpConnections > 0
            ? httpConnections
            : Math.clamp(heapBytes / HEAP_PART / HTTP_BYTES, LEAST, MOST_HTTP);
    if (descriptors <= 0) {
      return new DescriptorPlan(0, respClients, (int) wantedHttp, Optional.empty());
    }
    long reserve = Math.max(LEAST_RESERVE, descriptors / RESERVE_PART);
    long left = Math.max(0, descriptors - reserve);
    int http = (int) Math.min(wantedHttp, Math.max(LEAST, left / HTTP_PART));
    long most = Math.max(LEAST, left - http - left / HAZELCAST_PART);
    int resp = (int) Math.min(respClients, most);
    return new DescriptorPlan(
        descriptors,
        resp,
        http,
        resp == respClients && (httpConnections == 0 || http == httpConnections)
            ? Optional.empty()
            : Optional.of(
                "the doors serve fewer connections than configured, to fit "
                    + descriptors
                    + " file descriptors: resp.max-clients="
                    + resp
                    + " (configured: "
                    + respClients
                    + ") http.max-connections="
                    + http
                    + "; raise the limit (ulimit -n) or set them lower"));
  }

  /** Returns how many file descriptors this process may open; 0 if unknown. */
  public static long ofProcess() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : 0;
  }
}
