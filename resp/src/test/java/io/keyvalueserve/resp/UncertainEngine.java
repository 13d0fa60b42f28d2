package io.keyvalueserve.resp;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.Uncertain;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The reference engine, but what is written directly is certain only when the test says so. */
final class UncertainEngine implements Engine {
  private final Engine inner;
  private final LinkedBlockingQueue<Uncertain.Waiter> waiting = new LinkedBlockingQueue<>();

  UncertainEngine(InstantSource clock) {
    this(clock, () -> false);
  }

  UncertainEngine(InstantSource clock, BooleanSupplier declines) {
    inner = new MapEngine(clock, declines);
  }

  /** Who has waited longest; waits for somebody to. */
  Uncertain.Waiter next() throws InterruptedException {
    Uncertain.Waiter waiter = waiting.poll(30, TimeUnit.SECONDS);
    if (waiter == null) {
      throw new AssertionError("nobody waited within 30 s");
    }
    return waiter;
  }

  /** How many wait. */
  int waiting() {
    return waiting.size();
  }

  @Override
  public TenantSpace space(Identity identity) {
    TenantSpace space = inner.space(identity);
    return new TenantSpace() {
      @Override
      public KeyMap map(MapName name) {
        return new UncertainMap(space.map(name));
      }

      @Override
      public CompletionStage<List<String>> maps() {
        return space.maps();
      }

      @Override
      public CompletionStage<Void> clear() {
        return space.clear();
      }
    };
  }

  @Override
  public Uncertain uncertain() {
    return new Written();
  }

  private final class Written implements Uncertain {
    private final AtomicLong additions = new AtomicLong();
    private long awaited;

    @Override
    public long additions() {
      return additions.get();
    }

    @Override
    public void await(Waiter waiter) {
      if (additions.get() == awaited) {
        waiter.certain();
      } else {
        awaited = additions.get();
        waiting.add(waiter);
      }
    }
  }

  /** Notes what is written. */
  private record Noting(DirectMap map, AtomicLong additions) implements DirectMap {
    @Override
    public int read(byte[] bytes, int keyOffset, int keyLength, ValueSink sink) {
      return map.read(bytes, keyOffset, keyLength, sink);
    }

    @Override
    public int length(byte[] bytes, int keyOffset, int keyLength) {
      return map.length(bytes, keyOffset, keyLength);
    }

    @Override
    public long expireAt(byte[] bytes, int keyOffset, int keyLength) {
      return map.expireAt(bytes, keyOffset, keyLength);
    }

    @Override
    public boolean write(
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength,
        long expireAtMillis) {
      boolean written =
          map.write(bytes, keyOffset, keyLength, valueOffset, valueLength, expireAtMillis);
      if (written) {
        additions.incrementAndGet();
      }
      return written;
    }

    @Override
    public @Nullable Outcome execute(KeyCommand command) {
      Outcome outcome = map.execute(command);
      if (outcome != null && command.writes()) {
        additions.incrementAndGet();
      }
      return outcome;
    }
  }

  private record UncertainMap(KeyMap map) implements KeyMap {
    @Override
    public String name() {
      return map.name();
    }

    @Override
    public void submit(List<KeyCommand> commands, OutcomeSink sink) {
      map.submit(commands, sink);
    }

    @Override
    public DirectMap direct() {
      return DirectMap.NONE;
    }

    @Override
    public DirectMap direct(Uncertain uncertain) {
      return new Noting(map.direct(), ((Written) uncertain).additions);
    }

    @Override
    public CompletionStage<Boolean> insertAll(List<KeyCommand.Write> entries) {
      return map.insertAll(entries);
    }

    @Override
    public CompletionStage<MoveOutcome> rename(byte[] from, byte[] to, boolean onlyIfAbsent) {
      return map.rename(from, to, onlyIfAbsent);
    }

    @Override
    public CompletionStage<MoveOutcome> copy(
        byte[] from, KeyMap target, byte[] to, boolean replace) {
      return map.copy(from, ((UncertainMap) target).map, to, replace);
    }

    @Override
    public long placeOf(byte[] key) {
      return map.placeOf(key);
    }

    @Override
    public CompletionStage<ScanPage> scan(long cursor, int count, GlobPattern match) {
      return map.scan(cursor, count, match);
    }

    @Override
    public CompletionStage<Long> size() {
      return map.size();
    }

    @Override
    public CompletionStage<Long> expiring() {
      return map.expiring();
    }

    @Override
    public CompletionStage<Optional<byte[]>> randomKey() {
      return map.randomKey();
    }

    @Override
    public CompletionStage<Void> clear() {
      return map.clear();
    }
  }
}
