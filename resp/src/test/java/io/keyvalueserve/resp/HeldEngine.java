package io.keyvalueserve.resp;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * An engine whose batches wait until the test lets them go, or answers in its own way. All else
 * goes to another engine.
 */
final class HeldEngine implements Engine {
  private final Engine inner;
  private final LinkedBlockingQueue<HeldBatch> held = new LinkedBlockingQueue<>();

  /** One that does what it is asked to directly, unless the inner one declines. */
  HeldEngine(Engine inner) {
    this.inner = inner;
  }

  /** The next batch that came in; waits for it. */
  HeldBatch next() throws InterruptedException {
    HeldBatch batch = held.poll(30, TimeUnit.SECONDS);
    if (batch == null) {
      throw new AssertionError("no batch came within 30 s");
    }
    return batch;
  }

  /** How many batches wait. */
  int waiting() {
    return held.size();
  }

  @Override
  public TenantSpace space(Identity identity) {
    return new HeldSpace(inner.space(identity));
  }

  /** A batch that was handed in. */
  record HeldBatch(KeyMap map, List<KeyCommand> commands, KeyMap.OutcomeSink sink) {
    /** Carries it out. */
    void release() {
      map.submit(commands, sink);
    }

    /** How long the values are that it writes, in bytes. */
    long valueBytes() {
      return commands.stream()
          .mapToLong(
              command -> command instanceof KeyCommand.Write write ? write.value().length : 0)
          .sum();
    }

    /** Answers each command with this, the last one first. */
    void answer(Outcome outcome) {
      for (int i = commands.size() - 1; i >= 0; i--) {
        sink.accept(i, outcome);
      }
    }
  }

  private final class HeldSpace implements TenantSpace {
    private final TenantSpace space;

    HeldSpace(TenantSpace space) {
      this.space = space;
    }

    @Override
    public KeyMap map(MapName name) {
      return new HeldMap(space.map(name));
    }

    @Override
    public CompletionStage<List<String>> maps() {
      return space.maps();
    }

    @Override
    public CompletionStage<Void> clear() {
      Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS);
      return space.clear().thenRunAsync(() -> {}, later); // as where other members take part
    }
  }

  private final class HeldMap implements KeyMap {
    private final KeyMap map;

    HeldMap(KeyMap map) {
      this.map = map;
    }

    @Override
    public String name() {
      return map.name();
    }

    @Override
    public void submit(List<KeyCommand> commands, OutcomeSink sink) {
      held.add(new HeldBatch(map, commands, sink));
    }

    @Override
    public DirectMap direct() {
      return map.direct();
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
      throw new IllegalStateException("a defect, for the test");
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
