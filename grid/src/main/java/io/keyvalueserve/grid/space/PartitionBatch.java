package io.keyvalueserve.grid.space;

import com.hazelcast.core.MemberLeftException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.spi.exception.RetryableException;
import com.hazelcast.spi.exception.RetryableIOException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap.OutcomeSink;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.grid.link.MemberLink;
import io.keyvalueserve.grid.link.Passenger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a batch that fall into one partition, on their way: in one operation if they are
 * not too large, else in several, each sent when the one before has answered, so that the order
 * holds.
 *
 * <p>Filled by the thread that submits; from then on owned by whoever delivers an answer, one at a
 * time.
 */
final class PartitionBatch implements Passenger<BatchAnswer> {
  /** Commands that make this many bytes fill an operation. */
  private static final int OPERATION_BYTES = 16 << 20;

  private static final int OPERATION_COMMANDS = 4_096;

  /** The largest batch in bytes that shares a message. Larger ones gain nothing from it. */
  private static final int SMALL_BYTES = 64 << 10;

  private final Partitions partitions;
  private final @Nullable MemberLinks links;
  private final String map;
  private final int tenant;
  private final int partition;
  private final long lockThread;
  private final long lockPatienceMillis;
  private final Executor endOfTurn;
  private final OutcomeSink sink;

  private final List<KeyCommand> commands = new ArrayList<>();
  private final List<Data> keys = new ArrayList<>();
  private int[] indexes = new int[8];
  private int done;

  /** The read that it is a part of; null if its commands stand for themselves. */
  private @Nullable ReadTogether read;

  private @Nullable ReadStamps stamps;
  private int place;

  /** The stamp of the partition that was known before the read began. */
  private long known;

  /** The stamp that the partition answered with last. */
  private long answered;

  /**
   * @param tenant the number of who sends it
   * @param links over which it may travel with others; null if it may not
   * @param endOfTurn when it leaves, if it does so with others
   */
  PartitionBatch(
      Partitions partitions,
      @Nullable MemberLinks links,
      String map,
      int tenant,
      int partition,
      long lockThread,
      long lockPatienceMillis,
      Executor endOfTurn,
      OutcomeSink sink) {
    this.endOfTurn = endOfTurn;
    this.partitions = partitions;
    this.links = links;
    this.map = map;
    this.tenant = tenant;
    this.partition = partition;
    this.lockThread = lockThread;
    this.lockPatienceMillis = lockPatienceMillis;
    this.sink = sink;
  }

  void add(int index, KeyCommand command, Data key) {
    int size = commands.size();
    if (size == indexes.length) {
      indexes = Arrays.copyOf(indexes, 2 * size);
    }
    indexes[size] = index;
    commands.add(command);
    keys.add(key);
  }

  /**
   * Makes it a part of a read of several keys. Called before it is sent.
   *
   * @param from knows the partition's stamp as it was before
   */
  void partOf(ReadTogether whole, ReadStamps from) {
    read = whole;
    stamps = from;
    place = ReadStamps.place(map, partition);
    known = from.get(place);
  }

  /** Has everything read again, when all parts of the read have answered. */
  void prepareAgain() {
    done = 0;
    known = answered;
  }

  /** Sends it: together with what others ask of the same member, if it is small. */
  void send() {
    MemberLink<PartitionBatch, BatchAnswer> link =
        links == null || lockThread != KeyLocks.NO_THREAD || bytes() > SMALL_BYTES
            ? null
            : links.toOwnerOf(partition, commands.stream().anyMatch(KeyCommand::writes));
    if (link == null) {
      sendAlone();
    } else {
      link.send(this, endOfTurn);
    }
  }

  /** Returns the commands that have not been answered, as a part of a message. */
  MemberBatch.Part remainder() {
    return new MemberBatch.Part(
        map,
        tenant,
        partition,
        commands.subList(done, commands.size()),
        keys.subList(done, keys.size()));
  }

  /** Returns the bytes of keys and values that have not been answered. */
  @Override
  public long bytes() {
    long bytes = 0;
    for (int i = done; i < commands.size(); i++) {
      bytes += keys.get(i).totalSize() + valueBytes(commands.get(i));
    }
    return bytes;
  }

  /** The answer to a message that it was a part of. */
  @Override
  public void answeredTogether(BatchAnswer answer) {
    receive(answer, null);
  }

  /**
   * The message that it was a part of has failed. Nobody knows whether it has run, unless the
   * failure says that it was not sent; so it is sent again, alone, only if that is known or does no
   * harm.
   */
  @Override
  public void failedTogether(@Nullable Throwable failure) {
    boolean unsent =
        failure instanceof TargetNotMemberException
            || failure instanceof RetryableIOException
            || failure instanceof RejectedExecutionException;
    boolean again = failure instanceof RetryableException || failure instanceof MemberLeftException;
    if (unsent
        || (again && remainder().commands().stream().allMatch(PartitionBatch::isRepeatable))) {
      sendAlone();
    } else {
      fail(failure == null ? new IllegalStateException("a message without answer") : failure);
    }
  }

  /** Sends what has not been answered, or as much of it as fits one operation. */
  @Override
  public void sendAlone() {
    int end = endOfOperation();
    BatchOperation operation =
        BatchOperation.of(
            map, tenant, commands.subList(done, end), keys.subList(done, end), lockThread);
    operation.setWaitTimeout(lockPatienceMillis);
    try {
      partitions.<BatchAnswer>invoke(operation, partition, this::receive);
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private int endOfOperation() {
    long bytes = 0;
    int end = done;
    while (end < commands.size() && end - done < OPERATION_COMMANDS && bytes < OPERATION_BYTES) {
      bytes += keys.get(end).totalSize() + valueBytes(commands.get(end));
      end++;
    }
    return end;
  }

  private void receive(@Nullable BatchAnswer answer, @Nullable Throwable failure) {
    if (failure != null || answer == null) {
      fail(failure == null ? new IllegalStateException("an operation without answer") : failure);
      return;
    }
    if (read != null && done + answer.outcomes().size() == commands.size()) {
      compare(read, answer.stamp()); // before the read is told that all of it has arrived
    }
    int end = done + answer.outcomes().size();
    for (Outcome outcome : answer.outcomes()) {
      sink.accept(indexes[done++], outcome); // behind the last it may be under way again
    }
    if (end < commands.size()) {
      sendAlone();
    }
  }

  private void compare(ReadTogether whole, long stamp) {
    answered = stamp;
    if (stamps != null) {
      stamps.put(place, stamp);
    }
    if (stamp != known || stamp == 0) {
      whole.moved();
    }
  }

  private void fail(Throwable thrown) {
    Outcome failure = Failures.of(thrown);
    while (done < commands.size()) {
      sink.accept(indexes[done++], failure);
    }
  }

  /**
   * Returns whether a command may be carried out twice, with the same entry and answer as if it had
   * been carried out once.
   */
  static boolean isRepeatable(KeyCommand command) {
    return switch (command) {
      case KeyCommand.Read c -> true;
      case KeyCommand.Probe c -> true;
      case KeyCommand.Write c -> c.condition() != WriteCondition.IF_ABSENT && !c.returnPrevious();
      case KeyCommand.WriteCollection c -> c.condition() != WriteCondition.IF_ABSENT;
      case KeyCommand.Remove c -> false;
      case KeyCommand.Expire c -> false;
      case KeyCommand.ReadAndExpire c -> false;
      case KeyCommand.Increment c -> false;
      case KeyCommand.IncrementDecimal c -> false;
      case KeyCommand.Append c -> false;
      case KeyCommand.Overwrite c -> true;
      case KeyCommand.WriteIf c -> false;
      case KeyCommand.RemoveIf c -> false;
      case KeyCommand.OnCollection c -> !c.writes();
      case KeyCommand.Operate c -> c.operation().isRepeatable();
    };
  }

  /** Returns the number of bytes of values in a command. */
  static int valueBytes(KeyCommand command) {
    return switch (command) {
      case KeyCommand.Write c -> c.value().length;
      case KeyCommand.WriteCollection c -> c.packed().length;
      case KeyCommand.Append c -> c.suffix().length;
      case KeyCommand.Overwrite c -> c.bytes().length;
      case KeyCommand.WriteIf c -> c.value().length;
      case KeyCommand.RemoveIf c -> 0;
      case KeyCommand.IncrementDecimal c -> c.delta().length();
      case KeyCommand.Read c -> 0;
      case KeyCommand.Probe c -> 0;
      case KeyCommand.Remove c -> 0;
      case KeyCommand.Expire c -> 0;
      case KeyCommand.ReadAndExpire c -> 0;
      case KeyCommand.Increment c -> 0;
      case KeyCommand.OnCollection c -> c.arguments().bytes();
      case KeyCommand.Operate c -> c.operation().argumentBytes();
    };
  }
}
