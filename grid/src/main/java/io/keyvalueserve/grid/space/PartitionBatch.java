package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap.OutcomeSink;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.WriteCondition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a batch that fall into one partition, on their way: in one operation if they are
 * not too large, else in several, each sent when the one before has answered, so that the order
 * holds.
 *
 * <p>Filled by the thread that submits; from then on owned by whoever delivers an answer, one at a
 * time.
 */
final class PartitionBatch {
  /** Commands that make this many bytes fill an operation. */
  private static final int OPERATION_BYTES = 16 << 20;

  private static final int OPERATION_COMMANDS = 4_096;

  private final Partitions partitions;
  private final String map;
  private final int partition;
  private final long lockThread;
  private final long lockPatienceMillis;
  private final OutcomeSink sink;

  private final List<KeyCommand> commands = new ArrayList<>();
  private final List<Data> keys = new ArrayList<>();
  private int[] indexes = new int[8];
  private int done;

  PartitionBatch(
      Partitions partitions,
      String map,
      int partition,
      long lockThread,
      long lockPatienceMillis,
      OutcomeSink sink) {
    this.partitions = partitions;
    this.map = map;
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

  /** Sends what has not been answered, or as much of it as fits one operation. */
  void send() {
    int end = endOfOperation();
    List<KeyCommand> part = commands.subList(done, end);
    List<Data> partKeys = keys.subList(done, end);
    boolean writes = part.stream().anyMatch(KeyCommand::writes);
    BatchOperation operation =
        writes
            ? new KeyWriteBatch(
                map,
                part,
                partKeys,
                lockThread,
                part.stream().allMatch(PartitionBatch::isRepeatable))
            : new KeyReadBatch(map, part, partKeys);
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
    for (Outcome outcome : answer.outcomes()) {
      sink.accept(indexes[done++], outcome);
    }
    if (done < commands.size()) {
      send();
    }
  }

  private void fail(Throwable thrown) {
    Outcome failure = Failures.of(thrown);
    while (done < commands.size()) {
      sink.accept(indexes[done++], failure);
    }
  }

  /**
   * Whether a command may be carried out twice: then entry and answer are as if it had been once.
   */
  static boolean isRepeatable(KeyCommand command) {
    return switch (command) {
      case KeyCommand.Read c -> true;
      case KeyCommand.Probe c -> true;
      case KeyCommand.Write c -> c.condition() != WriteCondition.IF_ABSENT && !c.returnPrevious();
      case KeyCommand.Remove c -> false;
      case KeyCommand.Expire c -> false;
      case KeyCommand.ReadAndExpire c -> false;
      case KeyCommand.Increment c -> false;
      case KeyCommand.IncrementDecimal c -> false;
      case KeyCommand.Append c -> false;
      case KeyCommand.Overwrite c -> true;
    };
  }

  private static int valueBytes(KeyCommand command) {
    return switch (command) {
      case KeyCommand.Write c -> c.value().length;
      case KeyCommand.Append c -> c.suffix().length;
      case KeyCommand.Overwrite c -> c.bytes().length;
      case KeyCommand.IncrementDecimal c -> c.delta().length();
      case KeyCommand.Read c -> 0;
      case KeyCommand.Probe c -> 0;
      case KeyCommand.Remove c -> 0;
      case KeyCommand.Expire c -> 0;
      case KeyCommand.ReadAndExpire c -> 0;
      case KeyCommand.Increment c -> 0;
    };
  }
}
