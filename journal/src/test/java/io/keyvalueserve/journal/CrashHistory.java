package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One random life of a log. The model keeps, for each key, all states it has had since the last one
 * that was certain; a crash may leave the key in any of these, and in no other. A state is certain
 * when somebody who waited for its position was told so.
 */
final class CrashHistory {
  private static final int PARTITIONS = 5;
  private static final int KEYS = 12;

  /** A state of a key: where it was made, and its value; null if it was not there any more. */
  private record State(long position, @Nullable String value, long expiresAt) {}

  private final SplittableRandom random;
  private final SimulatedDisk disk = new SimulatedDisk(512);
  private final VirtualClock clock = new VirtualClock();
  private final Map<HeldRecords.Key, List<State>> model = new HashMap<>();
  private HeldRecords held = new HeldRecords();
  private @Nullable Journal journal;
  private @Nullable Compactor compactor;
  private int written;

  CrashHistory(long seed) {
    random = new SplittableRandom(seed);
  }

  void run() throws Exception {
    for (int life = 0, lives = 2 + random.nextInt(4); life < lives; life++) {
      open();
      int steps = random.nextInt(400);
      for (int i = 0; i < steps; i++) {
        step();
      }
      if (random.nextInt(5) == 0) {
        journal().close();
        clock.advanceMillis(random.nextInt(3_000));
        everythingIsCertain();
      } else {
        disk.crash(random);
        clock.advanceMillis(random.nextInt(3_000));
      }
      closeQuietly();
    }
    open();
    journal().close();
  }

  private Journal journal() {
    return Objects.requireNonNull(journal);
  }

  private void open() throws IOException {
    held = new HeldRecords();
    JournalConfig config =
        new JournalConfig(
            "c",
            "m",
            1,
            1 + random.nextInt(3),
            4,
            8 << 10,
            (random.nextBoolean() ? 16 : 32) << 10,
            Logs.SMALL.syncInterval(),
            1 << 20,
            0,
            1);
    Journal opened = Logs.open(config, disk, clock, held);
    journal = opened;
    compactor =
        opened.compactor(
            held,
            random.nextBoolean()
                ? CompactionPolicy.ALL
                : new CompactionPolicy(1.5, 1, 0.1, 1 << 20));
    for (Damage damage : opened.report().damage()) {
      assertThat(damage.isLoss()).as(damage.toString()).isFalse();
    }
    compare();
  }

  /**
   * What was recovered is one of the states that a crash may have left; from now on it is the one.
   */
  private void compare() {
    assertThat(model.keySet()).containsAll(held.records.keySet());
    long now = clock.currentTimeMillis();
    for (Map.Entry<HeldRecords.Key, List<State>> each : model.entrySet()) {
      HeldRecords.Held found = held.records.get(each.getKey());
      String value = found == null ? null : found.value();
      State state =
          each.getValue().stream()
              .filter(s -> Objects.equals(visible(s, now), value))
              .reduce((a, b) -> b)
              .orElse(null);
      assertThat(state)
          .as("%s is %s, may be %s", each.getKey(), value, each.getValue())
          .isNotNull();
      each.setValue(
          new ArrayList<>(
              List.of(
                  new State(
                      0, found == null ? null : value, found == null ? 0 : found.expiresAt()))));
    }
  }

  private static @Nullable String visible(State state, long now) {
    return state.expiresAt != 0 && state.expiresAt <= now ? null : state.value;
  }

  private void everythingIsCertain() {
    model.values().forEach(states -> states.subList(0, states.size() - 1).clear());
  }

  private void step() throws Exception {
    expire();
    int partition = random.nextInt(PARTITIONS);
    String map = "m" + random.nextInt(2);
    String key = "k" + random.nextInt(KEYS);
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> put(partition, map, key, 0);
      case 8, 9 -> put(partition, map, key, clock.currentTimeMillis() + 1 + random.nextInt(3_000));
      case 10, 11, 12 -> remove(partition, map, key);
      case 13 -> clear(partition, map);
      case 14 -> {
        if (random.nextInt(4) == 0) {
          drop(partition);
        }
      }
      case 15 -> clock.advanceMillis(random.nextInt(700));
      case 16 -> {
        for (int i = random.nextInt(30); i >= 0; i--) {
          Objects.requireNonNull(compactor).turn();
        }
      }
      default -> journal().turn();
    }
    if (random.nextInt(10) == 0) {
      journal().turn();
    }
  }

  /** The owner forgets what has expired, and says nothing in the log. */
  private void expire() {
    long now = clock.currentTimeMillis();
    held.records.forEach(
        (key, record) -> {
          if (record.expiresAt() != 0 && record.expiresAt() <= now) {
            held.remove(key);
          }
        });
  }

  private void put(int partition, String map, String key, long expiresAt) {
    int length = random.nextInt(30) == 0 ? random.nextInt(9_000) : random.nextInt(200);
    String value = "v" + written++ + "-".repeat(length);
    byte[] payload = HeldRecords.payload(key, value);
    HeldRecords.Key id = new HeldRecords.Key(partition, map, 1, key);
    long position = append(map, partition, 1, payload, key.length(), expiresAt);
    held.put(id, new HeldRecords.Held(position, payload.length, value, expiresAt));
    changed(id, new State(position, value, expiresAt));
  }

  private void remove(int partition, String map, String key) {
    HeldRecords.Key id = new HeldRecords.Key(partition, map, 1, key);
    if (!held.records.containsKey(id)) {
      return; // a member would not write it
    }
    long position = append(map, partition, 0, HeldRecords.payload(key, ""), key.length(), 0);
    held.remove(id);
    changed(id, new State(position, null, 0));
  }

  /**
   * Appends as an event loop would: if the ring is full, it lets the disk go on and tries again.
   */
  private long append(
      String map, int partition, int put, byte[] payload, int keyBytes, long expiresAt) {
    Journal log = journal();
    int number = log.map(map);
    if (payload.length > 2_048) {
      return log.put(partition, number, expiresAt, 1, payload, 0, keyBytes); // a blob
    }
    while (true) {
      AlignedMemory memory = AlignedMemory.allocate(payload.length);
      try (memory) {
        Memory.copy(payload, 0, memory.address(), payload.length);
        long position =
            put == 1
                ? log.tryPut(
                    partition, number, expiresAt, 1, memory.address(), payload.length, 0, keyBytes)
                : log.tryRemove(partition, number, 1, payload);
        if (position != Journal.FULL) {
          return position;
        }
      }
      log.turn();
    }
  }

  private void clear(int partition, String map) {
    letTheDiskGoOn();
    long position = journal().clear(partition, journal().map(map));
    held.removeAll(key -> key.partition() == partition && key.map().equals(map), position);
    ended(position, partition, map);
  }

  private void drop(int partition) {
    letTheDiskGoOn();
    long position = journal().drop(partition);
    held.removeAll(key -> key.partition() == partition, position);
    ended(position, partition, null);
  }

  private void letTheDiskGoOn() {
    for (int i = 0; i < 12; i++) {
      journal().turn();
    }
  }

  private void ended(long position, int partition, @Nullable String map) {
    for (HeldRecords.Key key : List.copyOf(model.keySet())) {
      if (key.partition() == partition && (map == null || key.map().equals(map))) {
        changed(key, new State(position, null, 0));
      }
    }
  }

  private void changed(HeldRecords.Key key, State state) {
    List<State> states =
        model.computeIfAbsent(key, k -> new ArrayList<>(List.of(new State(0, null, 0))));
    states.add(state);
    if (random.nextInt(3) == 0) {
      journal().whenDurable(state.position, new Told(key, state));
    }
  }

  /** Whoever waited for a state: when told, the key cannot fall back behind it. */
  private final class Told extends DurabilityWaiter {
    private final HeldRecords.Key key;
    private final State state;

    Told(HeldRecords.Key key, State state) {
      this.key = key;
      this.state = state;
    }

    @Override
    protected void durable() {
      List<State> states = Objects.requireNonNull(model.get(key));
      int index = states.indexOf(state);
      if (index > 0) {
        states.subList(0, index).clear();
      }
    }

    @Override
    protected void failed(JournalException e) {
      // nothing is known, then
    }
  }

  private void closeQuietly() {
    try {
      journal().close();
    } catch (IOException e) {
      // the machine that had it open has crashed
    }
  }
}
