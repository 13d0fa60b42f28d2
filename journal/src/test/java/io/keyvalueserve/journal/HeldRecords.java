package io.keyvalueserve.journal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A member's records as a plain map: fed by recovery, asked by the compactor. */
final class HeldRecords implements RecoverySink, RecordOwner {
  /** Which record. */
  record Key(int partition, String map, int form, String key) {}

  /** A record; {@code value} is null if only its key was recovered. */
  record Held(long position, int payloadBytes, @Nullable String value, long expiresAt) {}

  final Map<Key, Held> records = new ConcurrentHashMap<>();

  /** Files that were told to be damaged, and those of them that were mended. */
  final List<String> damaged = new ArrayList<>();

  final List<String> mended = new ArrayList<>();

  /** Writes records anew; null for none: then it has positions only. */
  @Nullable Journal journal;

  /** Whether there is room for records that are written anew. */
  boolean room = true;

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

  @Override
  public Renewed renew(LongPredicate lost) {
    Journal to = journal;
    if (to == null) {
      return Renewed.NONE;
    }
    if (!room) {
      return new Renewed(0, 0, 0, false);
    }
    long count = 0;
    long bytes = 0;
    for (Map.Entry<Key, Held> each : records.entrySet()) {
      Key key = each.getKey();
      Held held = each.getValue();
      if (lost.test(held.position)) {
        synchronized (partition(key.partition)) {
          byte[] payload = payload(key.key, String.valueOf(held.value));
          long position =
              to.put(
                  key.partition,
                  to.map(key.map),
                  held.expiresAt,
                  key.form,
                  payload,
                  0,
                  key.key.length());
          put(key, new Held(position, payload.length, held.value, held.expiresAt));
        }
        count++;
        bytes += Journal.bytesOf(held.payloadBytes);
      }
    }
    return new Renewed(count, bytes, 0, true);
  }

  @Override
  public void damageFound(Damage first, int places) {
    damaged.add(first.file());
  }

  @Override
  public void damageMended(String file) {
    mended.add(file);
  }
}
