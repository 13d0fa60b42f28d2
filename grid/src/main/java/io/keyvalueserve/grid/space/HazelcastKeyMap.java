package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.IMap;
import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Uncertain;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A tenant's map, kept in an IMap. */
final class HazelcastKeyMap implements KeyMap {
  private final HazelcastEngine engine;
  private final QualifiedName name;
  private final String gridName;
  private final int tenant;
  private final DirectMap direct;
  private final Executor endOfTurn;

  /** True if the map exists, or its name was counted. */
  private volatile boolean isNameKnown;

  /**
   * @param tenant the number of who uses it
   */
  HazelcastKeyMap(HazelcastEngine engine, QualifiedName name, int tenant, Executor endOfTurn) {
    this.tenant = tenant;
    this.endOfTurn = endOfTurn;
    this.engine = engine;
    this.name = name;
    this.gridName = name.toString();
    this.direct = engine.direct(gridName, tenant);
  }

  /**
   * Returns a map as one of this engine.
   *
   * @throws IllegalArgumentException if it is of another engine
   */
  static HazelcastKeyMap of(KeyMap map, HazelcastEngine engine) {
    if (map instanceof HazelcastKeyMap own && own.engine == engine) {
      return own;
    }
    throw new IllegalArgumentException("a transaction uses maps of its own engine");
  }

  @Override
  public String name() {
    return name.map().value();
  }

  @Override
  public void submit(List<KeyCommand> commands, OutcomeSink sink) {
    if (engine.refuses()) {
      fail(commands, Failures.noMajority(), sink);
      return;
    }
    if (commands.stream().anyMatch(KeyCommand::writes)) {
      if (!engine.exists(gridName)) {
        engine.patient().execute(() -> createAndSend(commands, sink));
        return;
      }
    } else if (!isNameKnown && !admitName(commands, sink)) {
      return;
    }
    send(commands, KeyLocks.NO_THREAD, sink);
  }

  @Override
  public void readTogether(List<KeyCommand> commands, OutcomeSink sink) {
    if (commands.size() < 2 || engine.refuses()) {
      submit(commands, sink);
    } else if (isNameKnown || admitName(commands, sink)) {
      new ReadTogether(engine, this, commands, sink).start();
    }
  }

  @Override
  public void writeTogether(List<KeyCommand> entries, OutcomeSink sink) {
    if (entries.size() < 2 || engine.refuses() || !isForTransaction(entries)) {
      submit(entries, sink);
      return;
    }
    Outcome atOnce = engine.writeTogether(this, entries);
    if (atOnce != null) {
      for (int i = 0; i < entries.size(); i++) {
        sink.accept(i, atOnce);
      }
      return;
    }
    var _ =
        new KeyMoves(engine, this)
            .writeAll(entries)
            .whenComplete(
                (outcomes, failure) -> {
                  if (failure == null) {
                    for (int i = 0; i < outcomes.size(); i++) {
                      sink.accept(i, outcomes.get(i));
                    }
                  } else {
                    writeOtherwise(entries, Failures.of(failure), sink);
                  }
                });
  }

  private static boolean isForTransaction(List<KeyCommand> entries) {
    long bytes = 0;
    for (KeyCommand entry : entries) {
      bytes += PartitionBatch.valueBytes(entry);
    }
    return entries.size() <= MOST_TOGETHER && bytes <= TransactionOverlay.MOST_BYTES;
  }

  /** Each entry by itself, where that may do and nothing was changed. */
  private void writeOtherwise(List<KeyCommand> entries, Outcome.Failure failure, OutcomeSink sink) {
    switch (failure.kind()) {
      case TOO_COSTLY, FULL -> submit(entries, sink);
      default -> fail(entries, failure, sink);
    }
  }

  /** Returns false if it answered: the tenant may not use one more name. */
  private boolean admitName(List<KeyCommand> commands, OutcomeSink sink) {
    String refusal = engine.exists(gridName) ? null : engine.refusalOfName(gridName);
    if (refusal != null) {
      fail(commands, new Outcome.Failure(Outcome.Failure.Kind.QUOTA, refusal), sink);
      return false;
    }
    isNameKnown = true;
    return true;
  }

  private static void fail(List<KeyCommand> commands, Outcome failure, OutcomeSink sink) {
    for (int i = 0; i < commands.size(); i++) {
      sink.accept(i, failure);
    }
  }

  @Override
  public int backups() {
    return engine.backups(gridName);
  }

  @Override
  public CompletionStage<Integer> copiesOnDisk() {
    return engine.isLogged(gridName)
        ? failingAsThePortWants(engine.logSyncs().everywhere().thenApply(any -> 1 + backups()))
        : CompletableFuture.completedFuture(0);
  }

  @Override
  public DirectMap direct() {
    return direct;
  }

  @Override
  public DirectMap direct(Uncertain uncertain) {
    return engine.direct(gridName, tenant, uncertain);
  }

  private void createAndSend(List<KeyCommand> commands, OutcomeSink sink) {
    try {
      engine.create(gridName);
    } catch (RuntimeException e) {
      fail(commands, Failures.of(e), sink);
      return;
    }
    send(commands, KeyLocks.NO_THREAD, sink);
  }

  /** Sends each partition its share. */
  void send(List<? extends KeyCommand> commands, long lockThread, OutcomeSink sink) {
    split(commands, lockThread, sink).forEach(PartitionBatch::send);
  }

  /** Returns the share of each partition, which is to be sent. */
  Collection<PartitionBatch> split(List<? extends KeyCommand> commands, OutcomeSink sink) {
    return split(commands, KeyLocks.NO_THREAD, sink);
  }

  private Collection<PartitionBatch> split(
      List<? extends KeyCommand> commands, long lockThread, OutcomeSink sink) {
    Map<Integer, PartitionBatch> byPartition = HashMap.newHashMap(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      KeyCommand command = commands.get(i);
      Data key = KeyData.ofKey(command.key());
      byPartition
          .computeIfAbsent(
              engine.partitions().of(key),
              partition ->
                  engine.newBatch(gridName, tenant, partition, lockThread, endOfTurn, sink))
          .add(i, command, key);
    }
    return byPartition.values();
  }

  @Override
  public CompletionStage<Boolean> insertAll(List<KeyCommand.Write> entries) {
    return new KeyMoves(engine, this).insertAll(entries);
  }

  @Override
  public CompletionStage<MoveOutcome> rename(byte[] from, byte[] to, boolean onlyIfAbsent) {
    return new KeyMoves(engine, this).rename(from, to, onlyIfAbsent);
  }

  @Override
  public CompletionStage<MoveOutcome> copy(byte[] from, KeyMap target, byte[] to, boolean replace) {
    if (!(target instanceof HazelcastKeyMap other) || other.engine != engine) {
      throw new IllegalArgumentException("the target of a copy is a map of the same engine");
    }
    return new KeyMoves(engine, this).copy(from, other, to, replace);
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count, GlobPattern match) {
    return engine.refuses()
        ? HazelcastEngine.refused()
        : failingAsThePortWants(
            new KeyScan(engine.partitions(), gridName, count, match).from(cursor));
  }

  @Override
  public long placeOf(byte[] key) {
    return engine.placeOf(key);
  }

  @Override
  public CompletionStage<Long> size() {
    if (engine.refuses()) {
      return HazelcastEngine.refused();
    }
    return failingAsThePortWants(sum(engine.partitions().sizes(gridName)));
  }

  @Override
  public CompletionStage<Long> expiring() {
    return engine.refuses()
        ? HazelcastEngine.refused()
        : failingAsThePortWants(sum(engine.partitions().expiring(gridName)));
  }

  private static CompletionStage<Long> sum(CompletableFuture<int[]> counts) {
    return counts.thenApply(
        each -> {
          long sum = 0;
          for (int count : each) {
            sum += count;
          }
          return sum;
        });
  }

  @Override
  public CompletionStage<Optional<byte[]>> randomKey() {
    return engine.refuses()
        ? HazelcastEngine.refused()
        : failingAsThePortWants(new RandomPick(engine.partitions(), gridName).pick());
  }

  @Override
  public CompletionStage<Boolean> forceUnlock(byte[] key) {
    return engine.patiently(
        () -> {
          engine.awaitKnown(gridName);
          if (!engine.exists(gridName)) {
            return false;
          }
          IMap<Object, Object> map = engine.map(gridName);
          Data data = KeyData.ofKey(key);
          if (engine.endTransaction(gridName, data)) {
            return true;
          }
          boolean locked = map.isLocked(data);
          if (locked) {
            map.forceUnlock(data);
          }
          return locked;
        });
  }

  @Override
  public CompletionStage<Void> clear() {
    return engine
        .patiently(
            () -> {
              engine.awaitKnown(gridName);
              if (engine.exists(gridName)) {
                engine.map(gridName).clear();
              }
              return true;
            })
        .thenAccept(done -> {});
  }

  /** The number of who uses it. */
  int tenant() {
    return tenant;
  }

  /** The map's name among all maps of the grid. */
  String gridName() {
    return gridName;
  }

  private static <T> CompletionStage<T> failingAsThePortWants(CompletionStage<T> stage) {
    return stage.exceptionallyCompose(
        thrown -> {
          EngineException failure = Failures.exception(thrown);
          return CompletableFuture.failedFuture(failure);
        });
  }
}
