package io.keyvalueserve.journal;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A member's records as a plain map: fed by recovery, asked by the compactor. */
final class HeldRecords implements RecoverySink, RecordOwner {
  /** Which record. */
  record Key(int partition, String map, int form, String key) {}

  /** A record; {@code value} is null if only its key was recovered. */
  record Held(long position, int payloadBytes, @Nullable String value, long expiresAt) {}

  final Map<Key, Held> records = new ConcurrentHashMap<>();
  private DeadBytes dead = (position, bytes) -> {};
  private final Map<Integer, Object> locks = new ConcurrentHashMap<>();

  static byte[] payload(String key, String value) {
    return (key + value).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The lock of a partition. */
  Object partition(int number) {
    return locks.computeIfAbsent(number, n -> new Object());
  }

  void setDead(DeadBytes dead) {
    this.dead = dead;
  }

  private static Key key(Frame frame) {
    return new Key(
        frame.partition(),
        frame.mapName(),
        frame.keyForm(),
        new String(frame.key(), StandardCharsets.ISO_8859_1));
  }

  @Override
  public void begin(DeadBytes dead) {
    this.dead = dead;
  }

  @Override
  public void put(Frame frame) {
    String value =
        frame.payloadAddress() == 0
            ? null
            : new String(frame.payload(), StandardCharsets.ISO_8859_1)
                .substring(frame.keyOffset() + frame.keyBytes());
    put(key(frame), new Held(frame.position(), frame.payloadBytes(), value, frame.expiresAt()));
  }

  void put(Key key, Held fresh) {
    Held old = records.put(key, fresh);
    if (old != null) {
      dead.dead(old.position, old.payloadBytes);
    }
  }

  @Override
  public void remove(Frame frame) {
    remove(key(frame));
  }

  void remove(Key key) {
    Held old = records.remove(key);
    if (old != null) {
      dead.dead(old.position, old.payloadBytes);
    }
  }

  @Override
  public void clear(Frame frame) {
    removeAll(
        key -> key.partition == frame.partition() && key.map.equals(frame.mapName()),
        frame.before());
  }

  @Override
  public void drop(Frame frame) {
    removeAll(key -> key.partition == frame.partition(), frame.before());
  }

  void removeAll(Predicate<Key> which, long before) {
    for (Map.Entry<Key, Held> entry : records.entrySet()) {
      if (which.test(entry.getKey()) && entry.getValue().position < before) {
        remove(entry.getKey());
      }
    }
  }

  // ---- the owner's side

  @Override
  public void exclusively(int partition, Runnable slice) {
    synchronized (partition(partition)) {
      slice.run();
    }
  }

  @Override
  public long positionOf(Frame frame) {
    Held held = records.get(key(frame));
    return held == null ? 0 : held.position;
  }

  @Override
  public void moved(Frame frame, long position) {
    records.computeIfPresent(
        key(frame),
        (key, held) -> new Held(position, held.payloadBytes, held.value, held.expiresAt));
  }
}
