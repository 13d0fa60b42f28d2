package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Members come and go while members and clients write. Each writer has keys of its own, so it knows
 * what each of them must hold: what it wrote last, or, if it never heard how a write ended, that or
 * what was there before. It checks whenever it reads, and at the end; and indexes must agree with
 * entries.
 */
final class MigrationTest {
  private static final int ENOUGH = 400;

  @Test
  void noAcknowledgedWriteIsLost() {
    try (HdGrid grid = HdGrid.start(2)) {
      IMap<String, Person> map = grid.map();
      map.addIndex(IndexType.HASH, "city");
      map.addIndex(IndexType.SORTED, "age");
      HazelcastInstance client = grid.client(config -> {});
      List<Writer> writers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        IMap<String, Person> view = i % 2 == 0 ? map : client.getMap(map.getName());
        writers.add(new Writer("w" + i, view));
      }
      try {
        proceed(writers);
        HazelcastInstance _ = grid.join();
        proceed(writers);
        settle(grid, writers);
        grid.shutDown(1);
        proceed(writers);
        HazelcastInstance _ = grid.join();
        settle(grid, writers);
        grid.terminate(1);
        proceed(writers);
        settle(grid, writers);
      } finally {
        writers.forEach(Writer::stop);
      }
      Map<String, @Nullable Person> entries = new HashMap<>(map.getAll(map.keySet()));
      Set<String> possible = new HashSet<>();
      for (Writer writer : writers) {
        writer.assertHeld();
        possible.addAll(writer.history.keySet());
      }
      assertThat(possible).containsAll(entries.keySet());
      assertThat(map.size()).isEqualTo(entries.size());
      assertIndexesAgree(map, entries);
      assertIndexesAgree(grid.elsewhere(map), entries);
    }
  }

  private static void assertIndexesAgree(
      IMap<String, Person> map, Map<String, @Nullable Person> entries) {
    int found = 0;
    for (int i = 0; i < 10; i++) {
      Set<String> keys = map.keySet(Predicates.equal("city", "city-" + i));
      for (String key : keys) {
        Person person = Objects.requireNonNull(entries.get(key), key);
        assertThat(person.city()).as(key).isEqualTo("city-" + i);
      }
      found += keys.size();
    }
    assertThat(found).isEqualTo(entries.size());
    assertThat(map.keySet(Predicates.greaterEqual("age", 0))).isEqualTo(entries.keySet());
  }

  private static void proceed(List<Writer> writers) {
    for (Writer writer : writers) {
      long now = writer.written.get();
      await().until(() -> writer.written.get() > now + ENOUGH || writer.isDone());
    }
  }

  /** Between two deaths backups must be complete again, as one backup promises no more. */
  private static void settle(HdGrid grid, List<Writer> writers) {
    writers.forEach(writer -> writer.pause.writeLock().lock());
    try {
      grid.awaitSafe();
    } finally {
      writers.forEach(writer -> writer.pause.writeLock().unlock());
    }
  }

  /** A thread that writes and reads keys of its own and remembers what they may hold. */
  private static final class Writer {
    private static final int KEYS = 150;

    /** For each key the values it may have, null for none; the last write comes last. */
    final Map<String, List<@Nullable Person>> history = new HashMap<>();

    final AtomicLong written = new AtomicLong();
    final ReadWriteLock pause = new ReentrantReadWriteLock(true);

    private final String name;
    private final IMap<String, Person> map;
    private final Random random;
    private final FutureTask<Boolean> work;
    private volatile boolean stopped;

    Writer(String name, IMap<String, Person> map) {
      this.name = name;
      this.map = map;
      this.random = new Random(name.hashCode());
      this.work = HdGrid.start(this::run);
    }

    private boolean run() {
      for (int n = 0; !stopped; n++) {
        pause.readLock().lock();
        try {
          step(name + "-" + random.nextInt(KEYS), n);
        } finally {
          pause.readLock().unlock();
        }
        written.incrementAndGet();
      }
      return true;
    }

    private void step(String key, int n) {
      switch (random.nextInt(6)) {
        case 0 -> write(key, null, () -> map.delete(key));
        case 1 -> assertHeld(key);
        case 2 -> {
          Person person = Person.of(n);
          write(key, person, () -> map.putAll(Map.of(key, person)));
        }
        default -> {
          Person person = Person.of(n);
          write(key, person, () -> map.set(key, person));
        }
      }
    }

    private void write(String key, @Nullable Person person, Runnable writing) {
      List<@Nullable Person> values = history.computeIfAbsent(key, k -> new ArrayList<>());
      if (values.isEmpty()) {
        values.add(null);
      }
      values.add(person);
      try {
        writing.run();
        values.clear();
        values.add(person);
      } catch (RuntimeException e) {
        // In doubt: both are possible until a write of the key succeeds.
      }
    }

    private void assertHeld(String key) {
      List<@Nullable Person> values = history.get(key);
      if (values != null) {
        assertThat(values).as(key).contains(map.get(key));
      }
    }

    void assertHeld() {
      assertThat(history).isNotEmpty();
      history.keySet().forEach(this::assertHeld);
    }

    boolean isDone() {
      return work.isDone();
    }

    void stop() {
      stopped = true;
      assertThat(HdGrid.result(work)).isTrue();
    }
  }
}
