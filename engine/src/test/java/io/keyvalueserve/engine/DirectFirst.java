package io.keyvalueserve.engine;

import io.keyvalueserve.engine.DirectMap.ValueSink;
import io.keyvalueserve.engine.KeyCommand.Probe;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An engine that does directly what another one can do directly, as a door would: in the order of
 * the batch, and from the first command that is declined on as a batch. It answers what the other
 * one answers, so it is under the same contract.
 */
public final class DirectFirst implements Engine {
  private final Engine engine;
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong declined = new AtomicLong();

  /** In front of this engine. */
  public DirectFirst(Engine engine) {
    this.engine = engine;
  }

  /** How many commands were answered directly. */
  public long answered() {
    return answered.get();
  }

  /** How many times a batch had to be sent after all. */
  public long declined() {
    return declined.get();
  }

  @Override
  public TenantSpace space(Identity identity) {
    TenantSpace space = engine.space(identity);
    return new TenantSpace() {
      @Override
      public KeyMap map(MapName name) {
        return new DirectFirstMap(space.map(name));
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

  private final class DirectFirstMap implements KeyMap {
    private final KeyMap map;
    private final DirectMap direct;

    DirectFirstMap(KeyMap map) {
      this.map = map;
      this.direct = map.direct();
    }

    @Override
    public void submit(List<KeyCommand> commands, OutcomeSink sink) {
      direct.anticipate(keysOf(commands));
      for (int i = 0; i < commands.size(); i++) {
        Outcome outcome = attempt(commands.get(i));
        if (outcome == null) {
          declined.incrementAndGet();
          int done = i;
          map.submit(
              commands.subList(i, commands.size()),
              (index, rest) -> sink.accept(done + index, rest));
          return;
        }
        answered.incrementAndGet();
        sink.accept(i, outcome);
      }
    }

    private @Nullable Outcome attempt(KeyCommand command) {
      byte[] key = command.key();
      return switch (command) {
        case Read read -> read(framed(key, new byte[0]), key.length);
        case Probe probe when !probe.access() -> probe(framed(key, new byte[0]), key.length);
        case Write write
            when write.condition() == WriteCondition.ALWAYS && !write.returnPrevious() -> {
          byte[] bytes = framed(key, write.value());
          boolean written =
              direct.write(
                  bytes,
                  1,
                  key.length,
                  key.length + 2,
                  write.value().length,
                  write.expireAtMillis());
          yield written ? Outcome.Applied.WITHOUT_PREVIOUS : direct.execute(command);
        }
        default -> direct.execute(command);
      };
    }

    private @Nullable Outcome read(byte[] bytes, int keyLength) {
      long expireAt = direct.expireAt(bytes, 1, keyLength);
      Sink sink = new Sink();
      int length = direct.read(bytes, 1, keyLength, sink);
      if (length == DirectMap.NOT_NOW || expireAt == DirectMap.NOT_NOW) {
        return null;
      }
      return length == DirectMap.MISSING
          ? Outcome.Missing.MISSING
          : new Outcome.Entry(sink.value(length), Math.max(expireAt, Expiry.NONE));
    }

    private @Nullable Outcome probe(byte[] bytes, int keyLength) {
      int length = direct.length(bytes, 1, keyLength);
      long expireAt = direct.expireAt(bytes, 1, keyLength);
      if (length == DirectMap.NOT_NOW || expireAt == DirectMap.NOT_NOW) {
        return null;
      }
      return length == DirectMap.MISSING
          ? Outcome.Missing.MISSING
          : new Outcome.Info(length, Math.max(expireAt, Expiry.NONE));
    }

    @Override
    public String name() {
      return map.name();
    }

    @Override
    public DirectMap direct() {
      return direct;
    }

    @Override
    public CompletionStage<Boolean> insertAll(List<Write> entries) {
      return map.insertAll(entries);
    }

    @Override
    public CompletionStage<MoveOutcome> rename(byte[] from, byte[] to, boolean onlyIfAbsent) {
      return map.rename(from, to, onlyIfAbsent);
    }

    @Override
    public CompletionStage<MoveOutcome> copy(
        byte[] from, KeyMap target, byte[] to, boolean replace) {
      KeyMap original = target instanceof DirectFirstMap other ? other.map : target;
      return map.copy(from, original, to, replace);
    }

    @Override
    public long placeOf(byte[] key) {
      return map.placeOf(key);
    }

    @Override
    public CompletionStage<ScanPage> scan(long cursor, int count, GlobPattern match) {
      List<byte[]> keys = new ArrayList<>();
      long next = cursor;
      int left = count;
      do {
        List<byte[]> found = new ArrayList<>();
        long answer =
            direct.scan(
                next,
                left,
                (bytes, offset, length) ->
                    found.add(Arrays.copyOfRange(bytes, offset, offset + length)));
        if (answer == DirectMap.NOT_NOW) {
          declined.incrementAndGet();
          return map.scan(next, left, match)
              .thenApply(
                  page -> {
                    keys.addAll(page.keys());
                    return new ScanPage(page.cursor(), keys);
                  });
        }
        answered.incrementAndGet();
        GlobMatcher matcher = new GlobMatcher(match);
        found.stream().filter(matcher::matches).forEach(keys::add);
        if (matcher.isTooCostly()) {
          return CompletableFuture.failedFuture(
              new EngineException(
                  new Outcome.Failure(Outcome.Failure.Kind.TOO_COSTLY, matcher.refusal())));
        }
        left -= found.size();
        next = answer;
      } while (next != 0 && left > 0);
      return CompletableFuture.completedFuture(new ScanPage(next, keys));
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

  private static KeyRanges keysOf(List<KeyCommand> commands) {
    KeyRanges keys = new KeyRanges(commands.size());
    byte[] bytes = new byte[commands.stream().mapToInt(command -> command.key().length).sum()];
    keys.begin(bytes);
    int at = 0;
    for (KeyCommand command : commands) {
      byte[] key = command.key();
      System.arraycopy(key, 0, bytes, at, key.length);
      keys.add(at, key.length);
      at += key.length;
    }
    return keys;
  }

  /** Key and value with a byte before each, so that offsets matter. */
  private static byte[] framed(byte[] key, byte[] value) {
    byte[] bytes = new byte[key.length + value.length + 2];
    Arrays.fill(bytes, (byte) '!');
    System.arraycopy(key, 0, bytes, 1, key.length);
    System.arraycopy(value, 0, bytes, key.length + 2, value.length);
    return bytes;
  }

  private static final class Sink implements ValueSink {
    private byte[] array = {};

    @Override
    public byte[] room(int length) {
      array = new byte[length + 3];
      return array;
    }

    @Override
    public int offset() {
      return 3;
    }

    byte[] value(int length) {
      return length == 0 ? new byte[0] : Arrays.copyOfRange(array, 3, 3 + length);
    }
  }
}
