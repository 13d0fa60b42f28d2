package io.keyvalueserve.hazelcast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import io.keyvalueserve.engine.KeyCommand.Write;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member crashes in the middle of a transaction, and comes back from its disk. */
final class RestartTransactionTest {
  private static final int KEYS = 16;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"DECIDED", "APPLIED"})
  void carriesOutWhatWasDecided(String step) throws Exception {
    Path lives = Files.createDirectory(directory.resolve("lives"));
    Path crashed = Files.createDirectory(directory.resolve("crashed"));
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (DoorMember member = new DoorMember(Restarts.in(lives, Durability.EVERYSEC))) {
      assertThat(write(member, "old").toCompletableFuture().get(30, TimeUnit.SECONDS))
          .isEqualTo(KEYS);
      AtomicBoolean first = new AtomicBoolean(true);
      ((HazelcastEngine) member.member.engine())
          .probeTransactions(
              at -> {
                if (at.equals(step) && first.compareAndSet(true, false)) {
                  reached.countDown();
                  try {
                    goOn.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }
              });
      var writing = write(member, "new").toCompletableFuture();
      assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
      Files.delete(crashed);
      Restarts.copy(lives, crashed);
      goOn.countDown();
      assertThat(writing.get(30, TimeUnit.SECONDS)).isEqualTo(KEYS);
    }
    try (DoorMember member = new DoorMember(Restarts.in(crashed, Durability.EVERYSEC))) {
      var map = member.client("acme").getMap("bank");
      assertThat(IntStream.range(0, KEYS).mapToObj(i -> text(map.get("key" + i))))
          .containsOnly("new");
      assertThat(
              HazelcastInstanceFactory.getAllHazelcastInstances().stream()
                  .map(instance -> instance.getMap("__kvs.transactions").size()))
          .containsOnly(0);
    }
  }

  private static String text(@Nullable Object value) {
    return value instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(value);
  }

  private static CompletionStage<Integer> write(DoorMember member, String value) {
    TenantSpace space =
        member.member.engine().space(new Identity(new TenantName("acme"), 1, "key"));
    KeyMap map = space.map(new MapName("bank"));
    List<KeyRef> keys =
        IntStream.range(0, KEYS)
            .mapToObj(i -> new KeyRef(map, ("key" + i).getBytes(UTF_8)))
            .toList();
    return space
        .transact(
            new TransactionRequest<>(
                keys,
                List.of(),
                view -> {
                  for (KeyRef key : keys) {
                    Outcome _ = view.execute(map, Write.of(key.key(), value.getBytes(UTF_8)));
                  }
                  return keys.size();
                }))
        .thenApply(done -> done.orElse(0));
  }
}
