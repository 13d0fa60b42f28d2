package io.keyvalueserve.hazelcast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastOverloadException;
import com.hazelcast.map.IMap;
import com.hazelcast.transaction.TransactionalMap;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.GrantedEngine;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.grid.settings.KeepingChange;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** In a map that charges writers an entry counts for who wrote it last, whichever way it came. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WriterChargedMapTest {
  private static final QualifiedName MAP =
      new QualifiedName(new TenantName("acme"), new MapName("orders"));
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final DoorMember member = new DoorMember();
  private final HazelcastInstance acme = member.client("acme");
  private final HazelcastInstance globex = member.client("globex");
  private final IMap<String, Object> own = acme.getMap("orders");
  private final IMap<String, Object> granted;
  private final KeyMap written;

  WriterChargedMapTest() {
    member.grant("acme", "orders", "globex", Map.of(Scope.MAP, Rights.ALL));
    granted = globex.getMap("acme/orders");
    written = space("globex").granted(MAP).orElseThrow();
  }

  @AfterAll
  void stop() {
    acme.shutdown();
    globex.shutdown();
    member.close();
  }

  @BeforeEach
  void chargesWriters() {
    member.quota("acme", Quota.USUAL);
    member.quota("globex", Quota.USUAL);
    own.clear();
    charge(ChargedTo.WRITER);
    assertCharged(0, 0);
  }

  private void charge(@Nullable ChargedTo to) {
    var _ = member.member.mapSettings().setChargedTo(MAP, to, PATIENCE);
  }

  private TenantHoldings of(String tenant) {
    return member.admissions.usage(tenant);
  }

  private void assertCharged(int acmes, int globexes) {
    assertThat(of("acme").entriesHere()).as("acme's entries").isEqualTo(acmes);
    assertThat(of("globex").entriesHere()).as("globex' entries").isEqualTo(globexes);
    if (globexes == 0) {
      assertThat(of("globex").bytesHere()).as("globex' bytes").isZero();
    } else {
      assertThat(of("globex").bytesHere()).as("globex' bytes").isPositive();
    }
  }

  private TenantSpace space(String tenant) {
    Identity identity = new Identity(new TenantName(tenant), DoorMember.number(tenant), "k");
    return new GrantedEngine(member.member.engine(), member.grants).space(identity);
  }

  private KeyMap engineMap(String owner) {
    return space(owner).map(new MapName("orders"));
  }

  private static Outcome submit(KeyMap map, KeyCommand command) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    map.submit(List.of(command), (index, known) -> outcome.complete(known));
    return outcome.join();
  }

  private static KeyCommand.Write write(String key) {
    return KeyCommand.Write.of(key.getBytes(UTF_8), "value".getBytes(UTF_8));
  }

  @Test
  void whatClientsWrite() {
    own.set("a", "value");
    granted.set("b", "value");
    assertCharged(1, 1);
    granted.put("c", "value");
    granted.put("d", "value", 1, TimeUnit.HOURS);
    granted.putIfAbsent("e", "value");
    granted.putAll(Map.of("f", "value", "g", "value"));
    assertCharged(1, 6);
    globex.executeTransaction(
        context -> {
          TransactionalMap<String, Object> map = context.getMap("acme/orders");
          return map.put("h", "value");
        });
    assertCharged(1, 7);
    own.replace("b", "another");
    own.replace("c", "value", "another");
    own.put("d", "another");
    assertCharged(4, 4);
    granted.replace("a", "another");
    assertCharged(3, 5);
  }

  @Test
  void whatTheEngineWrites() {
    byte[] bytes = "keyvalue".getBytes(UTF_8);
    own.set("key", "value");
    assertCharged(1, 0);
    await().until(() -> written.direct().write(bytes, 0, 3, 3, 5, Expiry.NONE));
    assertCharged(0, 1);
    own.set("directly", "value");
    await().until(() -> written.direct().execute(write("directly")) instanceof Outcome.Applied);
    assertThat(submit(written, write("by an operation"))).isInstanceOf(Outcome.Applied.class);
    assertCharged(0, 3);
    await().until(() -> engineMap("acme").direct().write(bytes, 0, 3, 3, 5, Expiry.NONE));
    assertCharged(1, 2);
    assertThat(submit(engineMap("acme"), write("directly"))).isInstanceOf(Outcome.Applied.class);
    assertCharged(2, 1);
    byte[] copy = "copy".getBytes(UTF_8);
    assertThat(
            space("globex")
                .copy(written, "key".getBytes(UTF_8), written, copy, true)
                .toCompletableFuture())
        .succeedsWithin(PATIENCE);
    assertCharged(2, 2);
    assertThat(written.rename(copy, "key".getBytes(UTF_8), false).toCompletableFuture())
        .succeedsWithin(PATIENCE);
    assertCharged(1, 2);
  }

  @Test
  void whatIsRemovedIsGivenBack() {
    for (int i = 0; i < 100; i++) {
      granted.set("key " + i, "value " + i);
    }
    assertCharged(0, 100);
    for (int i = 0; i < 50; i++) {
      own.delete("key " + i);
    }
    assertCharged(0, 50);
    granted.setTtl("key 60", 1, TimeUnit.MILLISECONDS);
    await().untilAsserted(() -> assertThat(own.get("key 60")).isNull());
    await().untilAsserted(() -> assertCharged(0, 49));
    own.clear();
    assertCharged(0, 0);
  }

  @Test
  void whatExpiresLaterStaysTheWriters() {
    granted.set("a", "value");
    own.setTtl("a", 1, TimeUnit.HOURS);
    assertCharged(0, 1);
    own.setTtl("a", 0, TimeUnit.HOURS);
    assertCharged(0, 1);
  }

  @Test
  void theSettingMayChange() {
    granted.set("a", "value");
    own.set("b", "value");
    charge(null);
    assertCharged(2, 0);
    granted.set("c", "value");
    assertCharged(3, 0);
    own.set("a", "another");
    charge(ChargedTo.WRITER);
    assertCharged(3, 0);
    granted.set("c", "another");
    assertCharged(2, 1);
    charge(ChargedTo.OWNER);
    assertCharged(3, 0);
    charge(ChargedTo.WRITER);
    assertCharged(2, 1);
  }

  @Test
  void theWritersQuotaLimitsIt() {
    member.quota("globex", Quota.USUAL.with(Limit.ENTRIES, 3L).with(Limit.VALUE, 100L));
    member.quota("acme", Quota.USUAL.with(Limit.ENTRIES, 1L));
    own.set("a", "value");
    for (int i = 0; i < 3; i++) {
      granted.set("key " + i, "value");
    }
    String message = "the tenant's 3 entries are used up";
    assertOverload(() -> granted.set("one more", "value"), message);
    assertOverload(() -> granted.putAll(Map.of("one more", "value")), message);
    assertOverload(
        () ->
            globex.executeTransaction(
                context -> context.getMap("acme/orders").put("one more", "value")),
        message);
    assertThat(submit(written, write("one more")))
        .isInstanceOfSatisfying(
            Outcome.Failure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(Outcome.Failure.Kind.QUOTA);
              assertThat(failure.message()).contains(message);
            });
    assertThat(written.direct().write("key 1value".getBytes(UTF_8), 0, 5, 5, 5, Expiry.NONE))
        .isFalse();
    assertOverload(() -> own.set("b", "value"), "the tenant's 1 entries are used up");
    assertCharged(1, 3);
    granted.delete("key 1");
    granted.set("one more", "value");
    assertOverload(() -> granted.set("key 0", new byte[200]), "the tenant's values up to 100");
  }

  /** Whose memory is taken is who has too much, whoever owns the map. */
  @Test
  void whatIsTakenIsTheWriters() {
    overMemory(OverMemory.EVICT);
    int each = 1_500;
    for (int i = 0; i < each; i++) {
      own.set("own " + i, new byte[1_000]);
      granted.set("granted " + i, new byte[1_000]);
    }
    assertCharged(each, each);
    long most = 1 << 20;
    member.quota("globex", Quota.USUAL.with(Limit.MEMORY, most));
    await().until(() -> of("globex").bytesHere() <= most);
    assertThat(of("acme").entriesHere()).isEqualTo(each);
    long left = settled(of("globex")::entriesHere);
    assertThat(left).isBetween((long) each / 3, each - 1L);
    member.quota("acme", Quota.USUAL.with(Limit.MEMORY, most));
    await().until(() -> of("acme").entriesHere() < each);
    // Some more than was asked for may have been under way before.
    assertThat(of("globex").entriesHere()).isBetween(left * 9 / 10, left);
    overMemory(null);
  }

  /** What is being deleted may still be on its way. */
  private static long settled(LongSupplier count) {
    long[] last = {-1};
    await()
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              long before = last[0];
              last[0] = count.getAsLong();
              return last[0] == before;
            });
    return last[0];
  }

  private void overMemory(@Nullable OverMemory next) {
    var _ = member.member.mapSettings().keep(MAP, KeepingChange.NOTHING.overMemory(next), PATIENCE);
  }

  private static void assertOverload(ThrowingCallable call, String words) {
    assertThatThrownBy(call)
        .satisfies(
            thrown -> {
              Throwable cause = thrown;
              while (!(cause instanceof HazelcastOverloadException) && cause.getCause() != null) {
                cause = cause.getCause();
              }
              assertThat(cause)
                  .isInstanceOf(HazelcastOverloadException.class)
                  .hasMessageContaining(words);
            });
  }
}
