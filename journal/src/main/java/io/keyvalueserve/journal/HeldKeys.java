package io.keyvalueserve.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;

/**
 * The keys of the log that {@link Journal#openKeys} has not given to its sink. They are given
 * partition by partition, on request. Keys that chunks' indexes have sorted by partition are on the
 * disk, unless {@link #readAhead} has read them. The others are in memory. Thread-safe; a partition
 * is asked for by one thread at a time.
 */
public final class HeldKeys implements AutoCloseable {
  /**
   * The amount of a map's records in a partition.
   *
   * @param puts records that were put, also those that were replaced or removed since
   * @param bytes of their payloads
   */
  public record Amount(long puts, long bytes) {}

  /** Takes what there is of a map in a partition. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Visits one map in one partition; each pair once. The amount is 0 if there are only removes.
     */
    void visit(int partition, String map, Amount amount);
  }

  private List<HeldPart> parts; // guarded by open
  private final LoaderState state;
  private final Map<Integer, HeldTally.Counts> counts; // by the maps' numbers
  private final BitSet given = new BitSet(); // guarded by itself
  private final List<Damage> damage = new ArrayList<>(); // guarded by itself
  private final ReadWriteLock open = new ReentrantReadWriteLock();
  private boolean closed; // guarded by open

  HeldKeys(List<HeldPart> parts, LoaderState state, Map<Integer, HeldTally.Counts> counts) {
    this.parts = parts;
    this.state = state;
    this.counts = counts;
  }

  /** Visits what there is that was not given. */
  public void forEach(Visitor visitor) {
    BitSet gone = given();
    counts.forEach(
        (number, of) ->
            of.partitions().stream()
                .filter(partition -> !gone.get(partition))
                .forEach(
                    partition ->
                        visitor.visit(
                            partition, state.names().name(number), of.amount(partition))));
  }

  /** The partitions of which there is anything that was not given. */
  public BitSet partitions() {
    BitSet partitions = new BitSet();
    counts.values().forEach(of -> partitions.or(of.partitions()));
    partitions.andNot(given());
    return partitions;
  }

  private BitSet given() {
    synchronized (given) {
      return (BitSet) given.clone();
    }
  }

  /** Returns the memory that it takes, in bytes. */
  public long bytes() {
    Lock reading = open.readLock();
    reading.lock();
    try {
      return parts.stream().mapToLong(HeldPart::bytes).sum();
    } finally {
      reading.unlock();
    }
  }

  /**
   * Reads what is still on the disk, so that whoever asks for a partition does not wait for that:
   * the oldest first, as far as there is room. Blocks. What cannot be read is told when it is asked
   * for.
   *
   * @param mostBytes how much memory all together may take then, in bytes
   * @param stopped asked between chunks
   */
  public void readAhead(long mostBytes, BooleanSupplier stopped) {
    long left = mostBytes - bytes();
    for (int i = 0; !stopped.getAsBoolean(); i++) {
      Lock reading = open.readLock();
      reading.lock();
      try {
        left -= i < parts.size() ? parts.get(i).aheadBytes() : 0;
        if (i >= parts.size() || left < 0) {
          return;
        }
        parts.get(i).readAhead();
      } finally {
        reading.unlock();
      }
    }
  }

  /** Returns and forgets the damage that was found in keys that were asked for. */
  public List<Damage> takeDamage() {
    synchronized (damage) {
      List<Damage> found = List.copyOf(damage);
      damage.clear();
      return found;
    }
  }

  /**
   * Gives what there is of a partition, in the order in which it was appended; puts without their
   * payloads. If the sink throws, it may be asked for anew. Nothing if it was given before. May
   * wait for the disk.
   *
   * @throws IllegalStateException if this is closed
   * @throws UncheckedIOException if a chunk's file cannot be opened
   */
  public void give(int partition, RecoverySink sink) {
    Lock reading = open.readLock();
    reading.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the keys were given back");
      }
      if (given().get(partition)) {
        return;
      }
      Loader loader = new Loader(0, sink, state);
      try {
        for (HeldPart part : parts) {
          part.give(partition, loader);
        }
      } finally {
        synchronized (damage) {
          damage.addAll(loader.damage());
        }
      }
      synchronized (given) {
        given.set(partition);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      reading.unlock();
    }
  }

  /** Gives the memory back: nothing more can be given. Waits until what is being given was. */
  @Override
  public void close() {
    Lock writing = open.writeLock();
    writing.lock();
    try {
      if (!closed) {
        closed = true;
        parts.forEach(HeldPart::close);
        parts = List.of();
      }
    } finally {
      writing.unlock();
    }
  }
}
