package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap.OutcomeSink;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.TransactionView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads of several keys of a map that see no half of a transaction. Nobody is locked out by them,
 * and most often they take no more messages than reads that each stand for themselves.
 *
 * <p>Each partition of a map has a stamp, which moves on before a transaction changes several keys,
 * of which some are there. The answer of a partition carries its stamp. The reads see one state if
 * each partition answers with the stamp that was known of it <em>before the first read</em>. If
 * not, all is read again, with the stamps that were just answered; and after some rounds all keys
 * are locked and read by a transaction.
 *
 * <p><b>Why that is right.</b> A half was seen if a transaction changes keys in partitions A and B,
 * A was read before its change and B after. A transaction has all its keys locked from before its
 * first change until after its last, or holds all its partitions that long; and locks stop readers.
 * So A was read before A was locked, thus before anything was changed, B included. Then B's stamp
 * moved on after the first read had begun. A stamp never comes back to a number that it has had, so
 * B answered with another one than was known before. If a partition is read by several operations
 * one after the other, the same is true of the stamp of the last of them. A copy of the partition
 * that becomes its owner has another stamp.
 *
 * <p>Begun by one thread; outcomes arrive on any.
 */
final class ReadTogether implements OutcomeSink {
  private static final int MOST_ROUNDS = 3;

  private final HazelcastEngine engine;
  private final HazelcastKeyMap map;
  private final List<KeyCommand> commands;
  private final OutcomeSink sink;
  private final @Nullable Outcome[] outcomes;
  private final AtomicInteger missing = new AtomicInteger();
  private volatile Collection<PartitionBatch> parts = List.of();
  private volatile boolean moved;
  private volatile boolean failed;
  private int rounds; // published by the counter

  /**
   * @param commands reads
   */
  ReadTogether(
      HazelcastEngine engine, HazelcastKeyMap map, List<KeyCommand> commands, OutcomeSink sink) {
    this.engine = engine;
    this.map = map;
    this.commands = commands;
    this.sink = sink;
    this.outcomes = new Outcome[commands.size()];
  }

  /** Begins to read. Does not block. */
  void start() {
    Collection<PartitionBatch> split = map.split(commands, this);
    split.forEach(part -> part.partOf(this, engine.readStamps())); // all of them before the first
    parts = split;
    missing.set(commands.size());
    rounds = 1;
    split.forEach(PartitionBatch::send);
  }

  /**
   * A partition has answered with another stamp than was known. Called before its outcomes come.
   */
  void moved() {
    moved = true;
  }

  @Override
  public void accept(int index, Outcome outcome) {
    outcomes[index] = outcome; // published by the counter
    if (outcome instanceof Outcome.Failure) {
      failed = true;
    }
    if (missing.decrementAndGet() == 0) {
      arrived();
    }
  }

  private void arrived() {
    if (!moved || failed) {
      answer();
    } else if (rounds < MOST_ROUNDS) {
      readAgain();
    } else {
      engine.patient().execute(this::readLocked);
    }
  }

  private void readAgain() {
    moved = false;
    rounds++;
    missing.set(commands.size());
    parts.forEach(PartitionBatch::prepareAgain);
    parts.forEach(PartitionBatch::sendAlone);
  }

  /**
   * Reads by a transaction. If that fails, because the values are too long together for example,
   * the answers of the last round stand.
   */
  private void readLocked() {
    List<KeyRef> keys = new ArrayList<>(commands.size());
    commands.forEach(command -> keys.add(new KeyRef(map, command.key())));
    var _ =
        engine
            .transact(new TransactionRequest<>(keys, List.of(), this::readAll))
            .whenComplete(
                (answer, failure) -> {
                  if (failure == null) {
                    take(answer);
                  }
                  answer();
                });
  }

  private List<Outcome> readAll(TransactionView view) {
    List<Outcome> read = new ArrayList<>(commands.size());
    commands.forEach(command -> read.add(view.execute(map, command)));
    return read;
  }

  private void take(Optional<List<Outcome>> answer) {
    List<Outcome> read = answer.orElse(List.of());
    for (int i = 0; i < read.size(); i++) {
      outcomes[i] = read.get(i);
    }
  }

  private void answer() {
    for (int i = 0; i < outcomes.length; i++) {
      Outcome outcome = outcomes[i];
      if (outcome != null) {
        sink.accept(i, outcome);
      }
    }
  }
}
