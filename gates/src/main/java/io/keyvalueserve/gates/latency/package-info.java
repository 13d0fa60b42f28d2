/** The latencies of requests: histograms by tenant and door, merged over threads and members. */
@NullMarked
package io.keyvalueserve.gates.latency;

import org.jspecify.annotations.NullMarked;
