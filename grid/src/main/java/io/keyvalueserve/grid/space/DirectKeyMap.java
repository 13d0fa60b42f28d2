package io.keyvalueserve.grid.space;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyRanges;
import io.keyvalueserve.engine.LentValue;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.StagedValue;
import io.keyvalueserve.engine.Transition;
import io.keyvalueserve.engine.ValueOperation;
import io.keyvalueserve.engine.blocking.WaitQueues.Joined;
import io.keyvalueserve.engine.value.Bits;
import io.keyvalueserve.grid.blocking.KeyWaits.LocalJoin;
import io.keyvalueserve.maps.LocalLookahead;
import io.keyvalueserve.maps.LocalMap;
import io.keyvalueserve.maps.LogRefusedException;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.RefusedException;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Records;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A tenant's map as far as it lives on this member. */
final class DirectKeyMap implements DirectMap, LocalJoin {
  private final NodeEngine nodeEngine;
  private final LocalMap map;
  private final SerializationService serialization;
  private final Address address;
  private final int partitions;

  DirectKeyMap(LocalMap map, NodeEngine nodeEngine) {
    this.nodeEngine = nodeEngine;
    this.map = map;
    this.serialization = nodeEngine.getSerializationService();
    this.address = nodeEngine.getThisAddress();
    this.partitions = nodeEngine.getPartitionService().getPartitionCount();
  }

  @Override
  public void anticipate(KeyRanges keys) {
    LocalLookahead ahead = map.lookAhead();
    try {
      byte[] bytes = keys.bytes();
      for (int i = 0; i < keys.count(); i++) {
        int offset = keys.offset(i);
        int length = keys.length(i);
        ahead.add(
            PartitionHash.partition(bytes, offset, length, partitions),
            bytes,
            offset,
            length,
            Utf8.isWellFormed(bytes, offset, length));
      }
    } finally {
      ahead.end();
    }
  }

  @Override
  public int read(byte[] bytes, int keyOffset, int keyLength, ValueSink sink) {
    return map.readPlain(
        PartitionHash.partition(bytes, keyOffset, keyLength, partitions),
        bytes,
        keyOffset,
        keyLength,
        Utf8.isWellFormed(bytes, keyOffset, keyLength),
        sink);
  }

  @Override
  public long stamp() {
    return map.stamp();
  }

  /** Returns the stamp of a partition, to be asked for behind the reads that it is for. */
  long stamp(int partition) {
    return map.stamp(partition);
  }

  @Override
  public int length(byte[] bytes, int keyOffset, int keyLength) {
    return map.plainLength(
        PartitionHash.partition(bytes, keyOffset, keyLength, partitions),
        bytes,
        keyOffset,
        keyLength,
        Utf8.isWellFormed(bytes, keyOffset, keyLength));
  }

  @Override
  public long expireAt(byte[] bytes, int keyOffset, int keyLength) {
    long at =
        map.plainExpiry(
            PartitionHash.partition(bytes, keyOffset, keyLength, partitions),
            bytes,
            keyOffset,
            keyLength,
            Utf8.isWellFormed(bytes, keyOffset, keyLength));
    return at == Attributes.NEVER ? Expiry.NONE : at;
  }

  @Override
  public boolean write(
      byte[] bytes,
      int keyOffset,
      int keyLength,
      int valueOffset,
      int valueLength,
      long expireAtMillis) {
    return write(bytes, keyOffset, keyLength, bytes, valueOffset, valueLength, expireAtMillis);
  }

  /** Returns the partition of a key. */
  int partitionOf(byte[] key) {
    return PartitionHash.partition(key, 0, key.length, partitions);
  }

  /** Carries out an unconditional write; false is {@link #NOT_NOW}. */
  boolean write(KeyCommand.Write write) {
    byte[] key = write.key();
    byte[] value = write.value();
    return write(key, 0, key.length, value, 0, value.length, write.expireAtMillis());
  }

  private boolean write(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long expireAtMillis) {
    if (keyLength > Records.MOST_KEY_BYTES || !isToCome(expireAtMillis)) {
      return false;
    }
    return map.writePlain(
        PartitionHash.partition(key, keyOffset, keyLength, partitions),
        key,
        keyOffset,
        keyLength,
        Utf8.isWellFormed(key, keyOffset, keyLength),
        value,
        valueOffset,
        valueLength,
        expiresAt(expireAtMillis));
  }

  private static boolean isToCome(long expireAtMillis) {
    return expireAtMillis == Expiry.NONE
        || (expireAtMillis != Expiry.KEEP
            && !Expiry.hasPassed(expireAtMillis, Clock.currentTimeMillis()));
  }

  private static long expiresAt(long expireAtMillis) {
    return expireAtMillis == Expiry.NONE
        ? Attributes.NEVER
        : Math.min(expireAtMillis, Attributes.NEVER - 1);
  }

  @Override
  public @Nullable StagedValue stage(byte[] key, int valueLength, boolean expires) {
    return key.length > Records.MOST_KEY_BYTES
        ? null
        : map.stage(
            PartitionHash.partition(key, 0, key.length, partitions),
            key.length,
            valueLength,
            expires);
  }

  @Override
  public boolean write(byte[] key, StagedValue value, long expireAtMillis) {
    return isToCome(expireAtMillis)
        && map.writeStaged(
            PartitionHash.partition(key, 0, key.length, partitions),
            key,
            Utf8.isWellFormed(key, 0, key.length),
            value,
            expiresAt(expireAtMillis));
  }

  @Override
  public @Nullable CompletionStage<StagedValue> prepare(
      byte[] key, StagedValue value, long expireAtMillis) {
    return isToCome(expireAtMillis)
        ? map.prepare(
            PartitionHash.partition(key, 0, key.length, partitions),
            key,
            Utf8.isWellFormed(key, 0, key.length),
            value,
            expiresAt(expireAtMillis))
        : null;
  }

  /** One partition at most is listed, as each is read or declined by itself. */
  @Override
  public long scan(long cursor, int count, KeySink sink) {
    long from = cursor & (PartitionScan.END - 1);
    for (long partition = cursor >>> Integer.SIZE; partition < partitions; partition++) {
      Plain plain = new Plain(sink);
      long next = map.keys((int) partition, from, count, plain);
      if (next == LocalMap.NOT_NOW) {
        return NOT_NOW;
      }
      if (next != LocalMap.END) {
        return KeyScan.cursor((int) partition, next);
      }
      if (plain.any && partition + 1 < partitions) {
        return KeyScan.cursor((int) partition + 1, 0);
      }
      from = 0;
    }
    return 0;
  }

  /** Passes those keys on that a byte string leads to. */
  private static final class Plain implements LocalMap.KeySink {
    private final KeySink sink;
    private boolean any;

    Plain(KeySink sink) {
      this.sink = sink;
    }

    @Override
    public void key(boolean isString, byte[] bytes, int length) {
      any = true;
      if (isString || !Utf8.isWellFormed(bytes, 0, length)) {
        sink.key(bytes, 0, length);
      }
    }

    @Override
    public boolean isFull() {
      return sink.isFull();
    }
  }

  private @Nullable Outcome read(byte[] key) {
    long expireAt = expireAt(key, 0, key.length);
    if (expireAt < Expiry.NONE) {
      return expireAt == MISSING ? Outcome.Missing.MISSING : null;
    }
    Copy copy = new Copy();
    int length = read(key, 0, key.length, copy);
    if (length < 0) {
      return length == MISSING ? Outcome.Missing.MISSING : null;
    }
    return new Outcome.Entry(copy.value, expireAt);
  }

  /** Reads a bit of a large value where the value lies, without a copy. */
  private @Nullable Outcome bit(byte[] key, long offset) {
    LentOrCopy value = new LentOrCopy();
    int length = read(key, 0, key.length, value);
    try {
      if (length == NOT_NOW) {
        return null;
      }
      boolean isSet = length != MISSING && value.bit(offset, length);
      return new Outcome.IntegerResult(isSet ? 1 : 0);
    } finally {
      value.giveBack();
    }
  }

  private @Nullable Outcome probe(byte[] key) {
    long expireAt = expireAt(key, 0, key.length);
    int length = length(key, 0, key.length);
    if (expireAt == NOT_NOW || length == NOT_NOW) {
      return null;
    }
    return length == MISSING || expireAt == MISSING
        ? Outcome.Missing.MISSING
        : new Outcome.Info(length, expireAt);
  }

  @Override
  public @Nullable Outcome execute(KeyCommand command) {
    byte[] bytes = command.key();
    switch (command) {
      case KeyCommand.Read _ -> {
        return read(bytes);
      }
      case KeyCommand.Probe probe when !probe.access() -> {
        return probe(bytes);
      }
      case KeyCommand.Operate operate
          when operate.operation() instanceof ValueOperation.GetBit get -> {
        Outcome bit = bit(bytes, get.offset());
        if (bit != null) {
          return bit;
        }
      }
      case KeyCommand.Write write when write.isUnconditional() -> {
        // Else with a copy of the value that says of what type it is, as operations have it.
        if (write(write)) {
          return Outcome.Applied.WITHOUT_PREVIOUS;
        }
      }
      default -> {}
    }
    int partition = PartitionHash.partition(bytes, 0, bytes.length, partitions);
    RecordStore<?> store = map.begin(partition);
    if (store == null) {
      return null;
    }
    boolean wrote = false;
    long before = ((NativeRecordStore) store).logged();
    try {
      long nowMillis = Clock.currentTimeMillis();
      Data key = KeyData.ofKey(bytes);
      EntryPages pages =
          EntryPages.at((NativeRecordStore) store, () -> map.pages((NativeRecordStore) store));
      EntryView entry = new EntryView(store, pages, serialization, address, nowMillis).of(key);
      EntryWriter writer = new EntryWriter(store, pages, nowMillis);
      wrote = true; // from here on nobody knows
      Transition transition = command.apply(entry, nowMillis);
      writer.carryOut(transition, key, entry);
      wrote = writer.hasWritten();
      return transition.outcome();
    } catch (RetryableHazelcastException e) {
      return null; // the partition's entries have just left; nothing was changed
    } catch (LogRefusedException e) {
      boolean partly = ((NativeRecordStore) store).logged() != before;
      return partly ? Failures.partly() : Failures.of(e);
    } catch (RefusedException e) {
      return Failures.of(e);
    } catch (RuntimeException e) {
      return Failures.internal("a command failed on its partition", e);
    } finally {
      map.end(partition, store, wrote);
    }
  }

  @Override
  public @Nullable Joined join(Data key, Function<@Nullable Object, Joined> join) {
    int partition = nodeEngine.getPartitionService().getPartitionId(key);
    RecordStore<?> store = map.begin(partition);
    if (store == null) {
      return null;
    }
    try {
      return join.apply(store.get(key, false, address, false));
    } catch (RetryableHazelcastException e) {
      return null; // the partition's entries have just left
    } finally {
      map.end(partition, store, false);
    }
  }

  /** A value of its own. */
  private static final class Copy implements ValueSink {
    private byte[] value = {};

    @Override
    public byte[] room(int length) {
      value = new byte[length];
      return value;
    }

    @Override
    public int offset() {
      return 0;
    }
  }

  /** A value that is lent if it is large, and a copy otherwise. */
  private static final class LentOrCopy implements ValueSink {
    private static final int LEAST_LENT_BYTES = 4 << 10;

    private byte[] copy = {};
    private @Nullable LentValue lent;

    @Override
    public byte[] room(int length) {
      copy = new byte[length];
      return copy;
    }

    @Override
    public int offset() {
      return 0;
    }

    @Override
    public int leastLent() {
      return LEAST_LENT_BYTES;
    }

    @Override
    public void lend(LentValue value) {
      lent = value;
    }

    boolean bit(long offset, int length) {
      LentValue large = lent;
      if (large == null) {
        return Bits.get(copy, offset);
      }
      long at = offset >>> 3;
      return at < length && Bits.get(new byte[] {large.bytes().get((int) at)}, offset & 7);
    }

    void giveBack() {
      LentValue large = lent;
      lent = null;
      if (large != null) {
        large.giveBack();
      }
    }
  }
}
