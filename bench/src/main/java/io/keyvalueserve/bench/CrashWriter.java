package io.keyvalueserve.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes to its own keys over one connection at a time, and notes what became of each write. When
 * the server is killed it goes on at another one, with other keys than those whose last write is in
 * doubt. Runs on one thread.
 */
final class CrashWriter implements Runnable {
  /** Errors that say that a command was not done. After all others it may have been. */
  private static final Set<String> NOT_DONE =
      Set.of("LOADING", "OOM", "MISCONF", "READONLY", "NOAUTH");

  private static final int PAUSE_MILLIS = 5;

  private record Command(List<KeyHistory> keys, List<KeyWrite> writes) {}

  private final CrashCluster cluster;
  private final KeyShare share;
  private final CrashMix mix;
  private final long salt;
  private final SplittableRandom random;
  private final Runnable begun;
  private final BooleanSupplier stopped;
  private final Map<String, Long> errors = new TreeMap<>();
  private long turn;
  private long acknowledged;
  private long refused;
  private long inDoubt;

  /**
   * @param salt of the run's values
   * @param begun is told of each acknowledgement
   * @param stopped whether to end after the batch that is under way
   */
  CrashWriter(
      CrashCluster cluster,
      KeyShare share,
      CrashMix mix,
      long salt,
      SplittableRandom random,
      Runnable begun,
      BooleanSupplier stopped) {
    this.cluster = cluster;
    this.share = share;
    this.mix = mix;
    this.salt = salt;
    this.random = random;
    this.begun = begun;
    this.stopped = stopped;
  }

  /** What became of its writes; when it has ended. */
  WriteTotals totals() {
    return new WriteTotals(acknowledged, refused, inDoubt, errors);
  }

  @Override
  public void run() {
    for (int next = share.writer(); !stopped.getAsBoolean(); next++) {
      try (RespConnection connection = cluster.connect(next % cluster.size())) {
        write(connection);
      } catch (RespConnection.Refused e) {
        count(e.kind);
        Clock.sleepMillis(PAUSE_MILLIS);
      } catch (IOException down) {
        Clock.sleepMillis(PAUSE_MILLIS);
      }
    }
  }

  private void write(RespConnection connection) throws IOException {
    long due = System.nanoTime();
    while (!stopped.getAsBoolean()) {
      if (batch(connection)) {
        due = Math.max(due + mix.batchNanos(), System.nanoTime() - mix.batchNanos());
        Clock.sleepUntil(due);
      } else {
        Clock.sleepMillis(PAUSE_MILLIS);
      }
    }
  }

  /** Sends a batch and reads what is answered; returns whether all was well. */
  private boolean batch(RespConnection connection) throws IOException {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < mix.pipeline(); i++) {
      Command command = compose(CrashMix.kind(random));
      if (!command.keys.isEmpty()) {
        encode(command, connection);
        commands.add(command);
      }
    }
    int answered = 0;
    boolean well = !commands.isEmpty();
    try {
      IOException broken = send(connection);
      for (; answered < commands.size(); answered++) {
        well &= note(commands.get(answered), connection.read());
      }
      if (broken != null) {
        throw broken;
      }
    } finally {
      commands.subList(answered, commands.size()).forEach(this::doubt);
    }
    return well;
  }

  /** A killed server may have answered before it took all. */
  private static @Nullable IOException send(RespConnection connection) {
    try {
      connection.send();
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private Command compose(CrashMix.Kind kind) {
    Command command = new Command(new ArrayList<>(), new ArrayList<>());
    int count = kind == CrashMix.Kind.MSET ? random.nextInt(2, CrashMix.MOST_KEYS + 1) : 1;
    long now = System.currentTimeMillis();
    turn++;
    for (int i = 0; i < count; i++) {
      KeyHistory key = share.draw(random);
      if (key != null && !command.keys.contains(key)) {
        int bytes = kind == CrashMix.Kind.DEL ? KeyWrite.DELETE : mix.valueBytes(random);
        command.keys.add(key);
        command.writes.add(key.begin(bytes, CrashMix.ttlMillis(kind, random), turn, now));
      }
    }
    return command;
  }

  private void encode(Command command, RespConnection out) {
    KeyHistory key = command.keys.getFirst();
    KeyWrite write = command.writes.getFirst();
    if (write.isDelete()) {
      out.add("DEL", key.name());
    } else if (command.keys.size() > 1) {
      out.begin(1 + 2 * command.keys.size());
      out.word("MSET");
      for (int i = 0; i < command.keys.size(); i++) {
        out.word(command.keys.get(i).name());
        out.word(value(command.keys.get(i), command.writes.get(i)));
      }
    } else {
      out.begin(write.expires() ? 5 : 3);
      out.word("SET");
      out.word(key.name());
      out.word(value(key, write));
      if (write.expires()) {
        out.word("PX");
        out.word(Long.toString(write.ttlMillis));
      }
    }
  }

  private byte[] value(KeyHistory key, KeyWrite write) {
    return new StampedValue(key.number(), write.sequence, write.valueBytes).bytes(salt);
  }

  /** Notes an answer; returns whether it is an acknowledgement. */
  private boolean note(Command command, RespReply reply) {
    switch (reply) {
      case RespReply.Line _, RespReply.Number _ -> acknowledge(command);
      case RespReply.Failure failure -> {
        count(failure.kind());
        if (command.keys.size() == 1 && NOT_DONE.contains(failure.kind())) {
          command.writes.getFirst().refuse();
          refused++;
        } else {
          doubt(command);
        }
        return false;
      }
      case RespReply.Bytes _, RespReply.Nil _, RespReply.Array _ ->
          throw new BenchException("a write was answered by " + reply);
    }
    return true;
  }

  private void acknowledge(Command command) {
    long nanos = System.nanoTime();
    long millis = System.currentTimeMillis();
    command.writes.forEach(write -> write.acknowledge(nanos, millis));
    acknowledged += command.writes.size();
    begun.run();
  }

  private void doubt(Command command) {
    command.keys.forEach(KeyHistory::rest);
    inDoubt += command.writes.size();
  }

  private void count(String kind) {
    errors.merge(kind, 1L, Long::sum);
  }
}
