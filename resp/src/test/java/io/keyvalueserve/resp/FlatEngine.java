package io.keyvalueserve.resp;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine that costs next to nothing, to see what the door itself costs: one table of short keys
 * for everybody, without expiry, which reads and writes directly and allocates nothing once a key
 * is in it. For one event loop. All else is another engine's.
 */
final class FlatEngine implements Engine {
  private static final int SLOTS = 1 << 18;

  private final Engine inner;
  private final Table table = new Table();
  private final @Nullable IntConsumer onRead;

  FlatEngine(Engine inner) {
    this.inner = inner;
    this.onRead = null;
  }

  /**
   * @param onRead runs before each read, with the number of the tenant that reads
   */
  FlatEngine(Engine inner, IntConsumer onRead) {
    this.inner = inner;
    this.onRead = onRead;
  }

  @Override
  public TenantSpace space(Identity identity) {
    TenantSpace space = inner.space(identity);
    return new TenantSpace() {
      @Override
      public KeyMap map(MapName name) {
        IntConsumer told = onRead;
        return new FlatMap(
            space.map(name),
            told == null ? table : new ToldOf(table, () -> told.accept(identity.number())));
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

  /** Keys and values by the hash of the key, each in the next slot that is free. */
  private static final class Table implements DirectMap {
    private final byte[][] keys = new byte[SLOTS][];
    private final byte[][] values = new byte[SLOTS][];

    @Override
    public int read(byte[] bytes, int keyOffset, int keyLength, ValueSink sink) {
      byte[] value = values[slot(bytes, keyOffset, keyLength)];
      if (value == null) {
        return MISSING;
      }
      byte[] room = sink.room(value.length);
      System.arraycopy(value, 0, room, sink.offset(), value.length);
      return value.length;
    }

    @Override
    public int length(byte[] bytes, int keyOffset, int keyLength) {
      byte[] value = values[slot(bytes, keyOffset, keyLength)];
      return value == null ? MISSING : value.length;
    }

    @Override
    public long expireAt(byte[] bytes, int keyOffset, int keyLength) {
      return length(bytes, keyOffset, keyLength) == MISSING ? MISSING : Expiry.NONE;
    }

    @Override
    public boolean write(
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength,
        long expireAtMillis) {
      int slot = slot(bytes, keyOffset, keyLength);
      byte[] value = values[slot];
      if (value == null || value.length != valueLength) {
        keys[slot] = Arrays.copyOfRange(bytes, keyOffset, keyOffset + keyLength);
        value = new byte[valueLength];
        values[slot] = value;
      }
      System.arraycopy(bytes, valueOffset, value, 0, valueLength);
      return true;
    }

    @Override
    public @Nullable Outcome execute(KeyCommand command) {
      return null;
    }

    private int slot(byte[] bytes, int offset, int length) {
      int hash = 1;
      for (int i = offset; i < offset + length; i++) {
        hash = 31 * hash + bytes[i];
      }
      int slot = (hash * 0x9E3779B9) >>> (Integer.SIZE - 18);
      while (true) {
        byte[] key = keys[slot];
        if (key == null || Arrays.equals(key, 0, key.length, bytes, offset, offset + length)) {
          return slot;
        }
        slot = (slot + 1) & (SLOTS - 1);
      }
    }
  }

  /** A table that tells of each read. */
  private record ToldOf(Table table, Runnable onRead) implements DirectMap {
    @Override
    public int read(byte[] bytes, int keyOffset, int keyLength, ValueSink sink) {
      onRead.run();
      return table.read(bytes, keyOffset, keyLength, sink);
    }

    @Override
    public int length(byte[] bytes, int keyOffset, int keyLength) {
      return table.length(bytes, keyOffset, keyLength);
    }

    @Override
    public long expireAt(byte[] bytes, int keyOffset, int keyLength) {
      return table.expireAt(bytes, keyOffset, keyLength);
    }

    @Override
    public boolean write(
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength,
        long expireAtMillis) {
      return table.write(bytes, keyOffset, keyLength, valueOffset, valueLength, expireAtMillis);
    }

    @Override
    public @Nullable Outcome execute(KeyCommand command) {
      return table.execute(command);
    }
  }

  private record FlatMap(KeyMap map, DirectMap direct) implements KeyMap {
    @Override
    public String name() {
      return map.name();
    }

    @Override
    public void submit(List<KeyCommand> commands, OutcomeSink sink) {
      map.submit(commands, sink);
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
      return map.copy(from, target, to, replace);
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
