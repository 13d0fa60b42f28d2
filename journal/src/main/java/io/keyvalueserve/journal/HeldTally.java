package io.keyvalueserve.journal;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts frames that are kept back. For one thread. */
final class HeldTally {
  private final Map<Integer, Counts> maps = new HashMap<>();
  private final BitSet withBlobs = new BitSet();

  // Most often the map of a frame is that of the one before.
  private int lastMap;
  private @Nullable Counts last;

  /** The counts of one map, by partition. */
  static final class Counts {
    private long[] frames = new long[0];
    private long[] puts = new long[0];
    private long[] bytes = new long[0];

    private void add(int partition, long moreFrames, long morePuts, long moreBytes) {
      if (partition >= frames.length) {
        int length = Math.max(partition + 1, 2 * frames.length);
        frames = Arrays.copyOf(frames, length);
        puts = Arrays.copyOf(puts, length);
        bytes = Arrays.copyOf(bytes, length);
      }
      frames[partition] += moreFrames;
      puts[partition] += morePuts;
      bytes[partition] += moreBytes;
    }

    /** Returns the partitions that have any frames. */
    BitSet partitions() {
      BitSet partitions = new BitSet();
      for (int partition = 0; partition < frames.length; partition++) {
        partitions.set(partition, frames[partition] > 0);
      }
      return partitions;
    }

    HeldKeys.Amount amount(int partition) {
      return new HeldKeys.Amount(puts[partition], bytes[partition]);
    }

    private void addAll(Counts other) {
      for (int partition = other.frames.length - 1; partition >= 0; partition--) {
        add(partition, other.frames[partition], other.puts[partition], other.bytes[partition]);
      }
    }
  }

  /** Counts frames of a map in a partition. */
  void addAll(int map, int partition, int frames, int puts, long bytes, boolean blobs) {
    maps.computeIfAbsent(map, number -> new Counts()).add(partition, frames, puts, bytes);
    if (blobs) {
      withBlobs.set(partition);
    }
  }

  /** Counts a frame of a map. */
  void add(long frame, int map) {
    boolean put = Frames.type(frame) == Frames.PUT;
    int partition = Frames.partition(frame);
    boolean blob = Frames.isBlob(frame);
    Counts counts = last;
    if (counts == null || map != lastMap) {
      counts = maps.computeIfAbsent(map, number -> new Counts());
      last = counts;
      lastMap = map;
    }
    counts.add(partition, 1, put ? 1 : 0, put && !blob ? Frames.payloadLength(frame) : 0);
    if (blob) {
      withBlobs.set(partition);
    }
  }

  /** Adds what another thread has counted. */
  void addAll(HeldTally other) {
    other.maps.forEach(
        (map, counts) -> maps.computeIfAbsent(map, number -> new Counts()).addAll(counts));
    withBlobs.or(other.withBlobs);
  }

  /** Returns the counts by the maps' numbers. */
  Map<Integer, Counts> maps() {
    return maps;
  }

  /** The partitions that have records in files of their own. */
  BitSet withBlobs() {
    return withBlobs;
  }
}
