package io.keyvalueserve.hazelcast;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageMeter;

/**
 * Counts a session's usage of one map on the short way until it is reported: many requests are
 * reported together. Used by the thread that reads the connection.
 */
final class MapUse {
  private final UsageMeter meter;
  private long reads;
  private long writes;
  private long bytesIn;
  private long bytesOut;

  MapUse(UsageMeter meter) {
    this.meter = meter;
  }

  /** Adds a request that was answered. */
  void add(DirectRequest request, int answerBytes) {
    if (request.isWrite()) {
      writes++;
    } else {
      reads += request.operations();
    }
    bytesIn += request.length();
    bytesOut += answerBytes;
  }

  /** Tells what was added. */
  void tell() {
    if (reads > 0) {
      meter.add(Measure.READS, reads);
    }
    if (writes > 0) {
      meter.add(Measure.WRITES, writes);
    }
    meter.add(Measure.BYTES_IN, bytesIn);
    meter.add(Measure.BYTES_OUT, bytesOut);
    reads = 0;
    writes = 0;
    bytesIn = 0;
    bytesOut = 0;
  }
}
