package io.keyvalueserve.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What {@link Journal#openKeys} has read of the log's keys and not given to its sink: it is in
 * memory, and is given partition by partition, to whoever asks. Thread-safe; a partition is asked
 * for by one thread at a time.
 */
public final class HeldKeys implements AutoCloseable {
  /**
   * How much there is of a map in a partition.
   *
   * @param puts records that were put, also those that were replaced or removed since
   * @param bytes of their payloads
   */
  public record Amount(long puts, long bytes) {}

  /** Takes what there is of a map in a partition. */
  @FunctionalInterface
  public interface Visitor {
    /** Of each map and partition once; an amount of nothing if there are removes only. */
    void visit(int partition, String map, Amount amount);
  }

  private List<HeldUnit> units; // guarded by open
  private final LoaderState state;
  private final Map<Integer, HeldTally.Counts> counts; // by the maps' numbers
  private final BitSet given = new BitSet(); // guarded by itself
  private final ReadWriteLock open = new ReentrantReadWriteLock();
  private boolean closed; // guarded by open

  HeldKeys(List<HeldUnit> units, LoaderState state, Map<Integer, HeldTally.Counts> counts) {
    this.units = units;
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

  /** How much memory it takes, in bytes. */
  public long bytes() {
    Lock reading = open.readLock();
    reading.lock();
    try {
      return units.stream().mapToLong(HeldUnit::bytes).sum();
    } finally {
      reading.unlock();
    }
  }

  /**
   * Gives what there is of a partition, in the order in which it was appended; puts without their
   * payloads. If the sink throws, it may be asked for anew. Nothing if it was given before.
   *
   * @throws IllegalStateException if this is closed
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
      for (HeldUnit unit : units) {
        loader.applyHeld(unit, partition);
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
        units.forEach(HeldUnit::close);
        units = List.of();
      }
    } finally {
      writing.unlock();
    }
  }
}
