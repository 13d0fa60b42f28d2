package io.keyvalueserve.engine;

import static io.keyvalueserve.engine.Batches.latin;
import static io.keyvalueserve.engine.Batches.run;
import static io.keyvalueserve.engine.Batches.text;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.KeyCommand.Append;
import io.keyvalueserve.engine.KeyCommand.Expire;
import io.keyvalueserve.engine.KeyCommand.Increment;
import io.keyvalueserve.engine.KeyCommand.Probe;
import io.keyvalueserve.engine.KeyCommand.Read;
import io.keyvalueserve.engine.KeyCommand.Remove;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: what the reference engine answers directly is what a batch is answered, and what it
 * declines has no effect. Method: random commands on two maps, one always by batches, the other
 * directly wherever it does not decline.
 */
class DirectMapTest {
  private static final long NOW_MILLIS = 1_000_000_000_000L;
  private static final int COMMANDS = 20_000;
  private static final int MARGIN = 3;

  private final TurnedClock clock = new TurnedClock(NOW_MILLIS);

  @ParameterizedTest
  @ValueSource(ints = {0, 50, 100})
  void answersLikeABatchOrNotAtAll(int declinedPercent) {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    BooleanSupplier declines = () -> random.nextInt(100) < declinedPercent;
    Identity identity = new Identity(new TenantName("acme"), 1, "key");
    TenantSpace space = new MapEngine(clock, declines).space(identity);
    KeyMap batched = space.map(new MapName("batched"));
    KeyMap direct = space.map(new MapName("direct"));
    for (int i = 0; i < COMMANDS; i++) {
      if (random.nextInt(10) == 0) {
        clock.turnTo(clock.millis() + random.nextInt(20));
      }
      KeyCommand command = command(random);
      String answer = directly(direct.direct(), command);
      if (answer == null) {
        answer = shortened(command, run(direct, command));
      }
      assertThat(answer)
          .as("seed=%d command=%s", seed, command)
          .isEqualTo(shortened(command, run(batched, command)));
    }
  }

  private KeyCommand command(Random random) {
    byte[] key = {(byte) ('a' + random.nextInt(5))};
    byte[] value = utf8("v".repeat(random.nextInt(4)));
    long expireAt =
        random.nextBoolean() ? Expiry.NONE : clock.millis() + random.nextInt(50) - MARGIN;
    return switch (random.nextInt(8)) {
      case 0, 1 -> new Write(key, value, expireAt, WriteCondition.ALWAYS, false);
      case 2, 3 -> new Read(key);
      case 4 -> new Probe(key, false);
      case 5 -> random.nextBoolean() ? new Increment(key, 1) : new Append(key, value, 100);
      case 6 -> new Expire(key, expireAt, ExpireCondition.ALWAYS);
      default -> new Remove(key, random.nextBoolean());
    };
  }

  /** What the direct way answers, by the method for ranges of bytes where there is one; or null. */
  private static @Nullable String directly(DirectMap map, KeyCommand command) {
    byte[] bytes = new byte[MARGIN + 1 + MARGIN];
    bytes[MARGIN] = command.key()[0];
    return switch (command) {
      case Read _ -> {
        Sink sink = new Sink();
        int length = map.read(bytes, MARGIN, 1, sink);
        yield length == DirectMap.NOT_NOW ? null : length < 0 ? "missing" : sink.text(length);
      }
      case Probe _ -> {
        int length = map.length(bytes, MARGIN, 1);
        long expireAt = map.expireAt(bytes, MARGIN, 1);
        yield length == DirectMap.NOT_NOW || expireAt == DirectMap.NOT_NOW
            ? null
            : length < 0 ? "missing" : length + " until " + expireAt;
      }
      case Write write -> {
        byte[] both = Arrays.copyOf(bytes, bytes.length + write.value().length);
        System.arraycopy(write.value(), 0, both, bytes.length, write.value().length);
        yield map.write(both, MARGIN, 1, bytes.length, write.value().length, write.expireAtMillis())
            ? "written"
            : null;
      }
      default -> {
        Outcome outcome = map.execute(command);
        yield outcome == null ? null : text(outcome);
      }
    };
  }

  /** As much of an outcome as the direct way tells. */
  private static String shortened(KeyCommand command, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Entry entry -> latin(entry.value());
      case Outcome.Info info -> info.length() + " until " + info.expireAtMillis();
      case Outcome.Missing _ when command instanceof Read || command instanceof Probe -> "missing";
      case Outcome.Applied _ when command instanceof Write -> "written";
      case Outcome other -> text(other);
    };
  }

  private static final class Sink implements DirectMap.ValueSink {
    private byte[] bytes = {};

    @Override
    public byte[] room(int length) {
      bytes = new byte[MARGIN + length];
      return bytes;
    }

    @Override
    public int offset() {
      return MARGIN;
    }

    String text(int length) {
      return latin(Arrays.copyOfRange(bytes, MARGIN, MARGIN + length));
    }
  }
}
