package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One random life of a log. The model keeps, for each partition, what was done to it since the log
 * was opened, in order. A crash may leave the partition as it was at some moment since the last
 * thing that somebody was told is certain, and in no other state. (A long value, a file of its own,
 * may be missing alone if it was not certain.)
 */
final class CrashHistory {
  private static final int PARTITIONS = 5;
  private static final int KEYS = 12;
  private static final int LONG = 1_900; // what is longer may be a file of its own

  /** Something that was done: a value, or none; to one key, or to all of a map or partition. */
  private record Event(
      HeldRecords.@Nullable Key key, @Nullable String map, @Nullable String value, long expiresAt) {
    void applyTo(Map<HeldRecords.Key, Value> records) {
      if (key == null) {
        records.keySet().removeIf(each -> map == null || each.map().equals(map));
      } else if (value == null) {
        records.remove(key);
      } else {
        records.put(key, new Value(value, expiresAt));
      }
    }

    boolean isBlob() {
      return key != null && (key.key().length() > LONG || (value != null && value.length() > LONG));
    }
  }

  private record Value(String value, long expiresAt) {}

  /** A partition: how it was when the log was opened, and what was done since. */
  private static final class Partition {
    private Map<HeldRecords.Key, Value> begun = new HashMap<>();
    private final List<Event> events = new ArrayList<>();
    private int certain;

    /** All states that a crash may leave. */
    private Set<Map<HeldRecords.Key, Value>> possible(long now) {
      Set<Map<HeldRecords.Key, Value>> states = Set.of(begun);
      Set<Map<HeldRecords.Key, Value>> possible = new HashSet<>();
      for (int i = 0; i <= events.size(); i++) {
        if (i >= certain) {
          states.forEach(state -> possible.add(visible(state, now)));
        }
        if (i < events.size()) {
          states = after(states, events.get(i), i >= certain);
        }
      }
      return possible;
    }

    private static Set<Map<HeldRecords.Key, Value>> after(
        Set<Map<HeldRecords.Key, Value>> states, Event event, boolean mayBeMissing) {
      Set<Map<HeldRecords.Key, Value>> next = new HashSet<>();
      for (Map<HeldRecords.Key, Value> state : states) {
        Map<HeldRecords.Key, Value> changed = new HashMap<>(state);
        event.applyTo(changed);
        next.add(changed);
        if (mayBeMissing && event.isBlob()) {
          next.add(state);
        }
      }
      return next;
    }

    private static Map<HeldRecords.Key, Value> visible(
        Map<HeldRecords.Key, Value> state, long now) {
      Map<HeldRecords.Key, Value> visible = new HashMap<>(state);
      visible.values().removeIf(value -> value.expiresAt != 0 && value.expiresAt <= now);
      return visible;
    }
  }

  private final SplittableRandom random;
  private final SimulatedDisk disk = new SimulatedDisk(512);
  private final VirtualClock clock = new VirtualClock();
  private final List<Partition> model = new ArrayList<>();
  private HeldRecords held = new HeldRecords();
  private @Nullable Journal journal;
  private @Nullable Compactor compactor;
  private int written;
  private int shrinkings;
  private boolean powerGone;
  private int keptBack;

  CrashHistory(long seed) {
    random = new SplittableRandom(seed);
    for (int i = 0; i < PARTITIONS; i++) {
      model.add(new Partition());
    }
  }

  /** How often keys were kept back when the log was opened. */
  int keptBack() {
    return keptBack;
  }

  /** How often the manifest was written anew because it had grown. */
  int shrinkings() {
    return shrinkings;
  }

  /** Lives it. */
  void run() throws Exception {
    for (int life = 0, lives = 2 + random.nextInt(4); life < lives; life++) {
      openThroughCrashes();
      if (random.nextBoolean()) {
        powerGoesAfter(random.nextInt(300));
      }
      boolean dead = !live(random.nextInt(400));
      if (!dead && !powerGone && random.nextInt(5) == 0) {
        disk.setFaults(Faults.NONE);
        journal().close();
        clock.advanceMillis(random.nextInt(3_000));
        everythingIsCertain();
      } else {
        endProcess();
        clock.advanceMillis(random.nextInt(3_000));
      }
      closeQuietly();
    }
    openThroughCrashes();
    journal().close();
  }

  /** Returns false if the power went before all was done. */
  private boolean live(int steps) throws Exception {
    try {
      for (int i = 0; i < steps; i++) {
        step();
      }
      return true;
    } catch (JournalFailedException | JournalRefusedException e) {
      assertThat(powerGone).as(e.toString()).isTrue();
      return false;
    }
  }

  /** From some operation on nothing succeeds: a crash in the middle of whatever is being done. */
  private void powerGoesAfter(int operations) {
    int[] left = {operations};
    disk.setFaults(
        (operation, name, offset) -> {
          if (left[0]-- <= 0) {
            powerGone = true;
            throw new IOException("the power is gone");
          }
        });
  }

  /** Mostly the power goes; sometimes only the process, and the power with the next one. */
  private void endProcess() {
    if (random.nextInt(3) == 0) {
      disk.kill();
    } else {
      disk.crash(random);
    }
  }

  /** A recovery may crash too, and the next one must find the same. */
  private void openThroughCrashes() throws IOException {
    while (random.nextInt(3) == 0) {
      powerGone = false;
      powerGoesAfter(random.nextInt(60));
      try {
        Journal.open(Logs.SMALL.withThreads(0, 1), disk, clock, new HeldRecords(), false);
      } catch (IOException e) {
        assertThat(powerGone).as(e.toString()).isTrue();
      }
      endProcess();
    }
    powerGone = false;
    open();
  }

  private Journal journal() {
    return Objects.requireNonNull(journal);
  }

  private void open() throws IOException {
    held = new HeldRecords();
    JournalConfig config =
        new JournalConfig(
            "cluster-1",
            "member-1",
            1,
            1 + random.nextInt(3),
            4,
            8 << 10,
            (random.nextBoolean() ? 16 : 32) << 10,
            Logs.SMALL.syncInterval(),
            1 << 20,
            0,
            1);
    Journal opened =
        random.nextBoolean() ? Logs.open(config, disk, clock, held) : openByKeys(config);
    journal = opened;
    compactor =
        opened.compactor(
            held,
            random.nextBoolean()
                ? new CompactionPolicy(1.01, 8, 0, 1 << 30)
                : new CompactionPolicy(1.5, 1, 0.1, 1 << 20));
    for (Damage damage : opened.report().damage()) {
      assertThat(damage.isLoss()).as(damage.toString()).isFalse();
    }
    compare();
  }

  /** Keys first, those of some maps or all later, partitions in any order; then the values. */
  private Journal openByKeys(JournalConfig config) throws IOException {
    KeysLater later =
        switch (random.nextInt(4)) {
          case 0 -> KeysLater.NONE;
          case 1 -> later(map -> map.equals("m1"));
          default -> later(map -> true);
        };
    Journal opened = Journal.open(config, disk, clock, held, true, later);
    held.setDead(opened);
    HeldKeys keys = opened.heldKeys();
    if (keys != null) {
      keptBack++;
      List<Integer> order = new ArrayList<>(IntStream.range(0, PARTITIONS).boxed().toList());
      Collections.shuffle(order, new Random(random.nextLong()));
      for (int partition : order) {
        keys.give(partition, held);
      }
      assertThat(keys.partitions().isEmpty()).isTrue();
      keys.close();
    }
    held.records.replaceAll(
        (key, record) -> record.value() != null ? record : read(opened, key, record));
    opened.turn(); // the first chunks
    opened.turn();
    return opened;
  }

  private static KeysLater later(Predicate<String> maps) {
    return new KeysLater(maps, 0, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  private static HeldRecords.Held read(Journal from, HeldRecords.Key key, HeldRecords.Held record) {
    String[] value = new String[1];
    try {
      assertThat(
              from.read(
                  record.position(),
                  record.payloadBytes(),
                  frame ->
                      value[0] =
                          new String(frame.payload(), StandardCharsets.ISO_8859_1)
                              .substring(key.key().length())))
          .isTrue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new HeldRecords.Held(
        record.position(), record.payloadBytes(), value[0], record.expiresAt());
  }

  /**
   * Each partition is in one of the states that a crash may have left; from now on it is the one.
   */
  private void compare() {
    long now = clock.currentTimeMillis();
    for (int i = 0; i < PARTITIONS; i++) {
      Map<HeldRecords.Key, Value> found = new HashMap<>();
      for (var each : held.records.entrySet()) {
        if (each.getKey().partition() == i) {
          HeldRecords.Held record = each.getValue();
          String value = Objects.requireNonNull(record.value());
          found.put(each.getKey(), new Value(value, record.expiresAt()));
        }
      }
      Partition partition = model.get(i);
      if (!partition.possible(now).contains(found)) {
        throw new AssertionError(
            "partition %d is %s, began as %s, certain are the first %d of %s"
                .formatted(i, found, partition.begun, partition.certain, partition.events));
      }
      partition.begun = found;
      partition.events.clear();
      partition.certain = 0;
    }
  }

  private void everythingIsCertain() {
    model.forEach(partition -> partition.certain = partition.events.size());
  }

  private void step() throws Exception {
    expire();
    int partition = random.nextInt(PARTITIONS);
    String map = "m" + random.nextInt(2);
    String key = "k" + random.nextInt(KEYS);
    if (random.nextInt(25) == 0) {
      key = "k".repeat(2_500 + random.nextInt(2));
    }
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
    changed(partition, position, new Event(id, null, value, expiresAt));
  }

  private void remove(int partition, String map, String key) {
    HeldRecords.Key id = new HeldRecords.Key(partition, map, 1, key);
    if (!held.records.containsKey(id)) {
      return; // a member would not write it
    }
    long position = append(map, partition, 0, HeldRecords.payload(key, ""), key.length(), 0);
    held.remove(id);
    changed(partition, position, new Event(id, null, null, 0));
  }

  /**
   * Appends as an event loop would: if the ring is full, it lets the disk go on and tries again.
   */
  private long append(
      String map, int partition, int put, byte[] payload, int keyBytes, long expiresAt) {
    Journal log = journal();
    int number = log.map(map);
    if (payload.length > 2_048) { // a blob
      if (put != 1) {
        return log.remove(partition, number, 1, payload);
      }
      return random.nextBoolean()
          ? log.put(partition, number, expiresAt, 1, payload, 0, keyBytes)
          : appendDrafted(log, number, partition, payload, keyBytes, expiresAt);
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

  /** With a draft ahead, and now and then one that is given up, before or after. */
  private long appendDrafted(
      Journal log, int number, int partition, byte[] payload, int keyBytes, long expiresAt) {
    AlignedMemory memory = AlignedMemory.allocate(payload.length);
    try (memory) {
      Memory.copy(payload, 0, memory.address(), payload.length);
      PayloadDraft draft = log.draft(memory.address(), payload.length);
      if (random.nextInt(3) == 0) {
        log.draft(memory.address(), payload.length).discard();
      }
      if (random.nextBoolean()) {
        log.turn();
      }
      try {
        return log.put(partition, number, expiresAt, 1, memory.address(), 0, keyBytes, draft);
      } finally {
        draft.discard(); // nothing, if it was appended
      }
    }
  }

  private void clear(int partition, String map) {
    letTheDiskGoOn();
    long position = journal().clear(partition, journal().map(map));
    held.removeAll(key -> key.partition() == partition && key.map().equals(map), position);
    changed(partition, position, new Event(null, map, null, 0));
  }

  private void drop(int partition) {
    letTheDiskGoOn();
    long position = journal().drop(partition);
    held.removeAll(key -> key.partition() == partition, position);
    changed(partition, position, new Event(null, null, null, 0));
  }

  private void letTheDiskGoOn() {
    for (int i = 0; i < 12; i++) {
      journal().turn();
    }
  }

  private void changed(int number, long position, Event event) {
    Partition partition = model.get(number);
    partition.events.add(event);
    if (random.nextInt(3) == 0) {
      journal().whenDurable(position, new Told(partition, partition.events.size()));
    }
  }

  /** Whoever waited: when told, the partition cannot fall back behind it. */
  private static final class Told extends DurabilityWaiter {
    private final Partition partition;
    private final int events;

    Told(Partition partition, int events) {
      this.partition = partition;
      this.events = events;
    }

    @Override
    protected void durable() {
      partition.certain = Math.max(partition.certain, events);
    }

    @Override
    protected void failed(JournalException e) {
      // nothing is known, then
    }
  }

  private void closeQuietly() {
    shrinkings += journal().manifestShrinkings();
    try {
      journal().close();
    } catch (IOException e) {
      // the machine that had it open has crashed
    }
  }
}
