package io.keyvalueserve.bench;

import com.hazelcast.map.IMap;
import org.HdrHistogram.Histogram;

/** One measurement: fill, weigh, load. */
final class MemoryRun {
  private static final long WARM_UP_SECONDS = 5;

  private final Progress progress;
  private final int threads;
  private final long seconds;

  /**
   * @param progress gets a line for each step
   * @param threads of load
   * @param seconds of load
   */
  MemoryRun(Progress progress, int threads, long seconds) {
    this.progress = progress;
    this.threads = threads;
    this.seconds = seconds;
  }

  MemoryResult measure(String name, Subject subject, int entries, int valueBytes) {
    ServerProcess process = subject.process();
    IMap<String, byte[]> map = subject.map();
    map.set(Load.key(0), new byte[valueBytes]); // whatever a first entry brings along
    long emptyHeap = process.liveHeapBytes();
    long emptyNative = subject.offHeap().getAsLong();
    progress.say("%s: filling %d entries of %d B", name, entries, valueBytes);
    Load.fill(
        map,
        entries,
        valueBytes,
        done -> progress.say("  %d %% of the entries", 100L * done / entries));
    int size = map.size();
    if (size != entries) {
      throw new BenchException(name + " holds " + size + " entries of " + entries);
    }
    long heap = process.liveHeapBytes();
    long off = subject.offHeap().getAsLong();
    progress.say("%s: %d threads read and write for %d s", name, threads, seconds);
    Load.readAndWrite(map, entries, valueBytes, threads, WARM_UP_SECONDS);
    long from = System.currentTimeMillis();
    long cpu = process.cpuNanos();
    Histogram latencies = Load.readAndWrite(map, entries, valueBytes, threads, seconds);
    cpu = process.cpuNanos() - cpu;
    Pauses pauses = process.pauses(from, System.currentTimeMillis());
    process.requireAlive();
    double grown = heap - emptyHeap;
    double payload = Load.KEY_BYTES + valueBytes;
    return new MemoryResult(
        name,
        entries,
        valueBytes,
        (grown + off - emptyNative) / entries - payload,
        grown / entries,
        heap,
        off,
        process.residentBytes(),
        pauses.longestMillis(),
        pauses.p999Millis(),
        pauses.totalMillis(),
        pauses.count(),
        cpu / 1e3 / latencies.getTotalCount(),
        (double) latencies.getTotalCount() / seconds,
        latencies.getValueAtPercentile(50) / 1e3,
        latencies.getValueAtPercentile(99.9) / 1e3,
        latencies.getMaxValue() / 1e3);
  }
}
