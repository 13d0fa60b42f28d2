package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.GrantedEngine;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyNeeded;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.MapGrants;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Scripts over an engine that locks keys, and on maps that were granted. */
class ScriptTransactionTest {
  private final AtomicInteger runs = new AtomicInteger();
  private final Set<Thread> threads = new HashSet<>();

  /** Runs bodies on virtual threads, and anew for each key that was not declared. */
  private Engine locking() {
    MapEngine engine = new MapEngine(InstantSource.system());
    return identity -> new LockingSpace(engine.space(identity));
  }

  private final class LockingSpace implements TenantSpace {
    private final TenantSpace space;

    LockingSpace(TenantSpace space) {
      this.space = space;
    }

    @Override
    public KeyMap map(MapName name) {
      return space.map(name);
    }

    @Override
    public CompletionStage<List<String>> maps() {
      return space.maps();
    }

    @Override
    public CompletionStage<Void> clear() {
      return space.clear();
    }

    @Override
    public <T> CompletionStage<Optional<T>> transact(TransactionRequest<T> request) {
      CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                Set<KeyRef> locked = new HashSet<>(request.keys());
                while (!answer.isDone()) {
                  runs.incrementAndGet();
                  try {
                    answer.complete(run(request, locked));
                  } catch (CompletionException e) {
                    if (e.getCause() instanceof KeyNeeded needed) {
                      assertThat(locked.add(needed.key())).isTrue();
                    } else {
                      answer.completeExceptionally(e.getCause());
                    }
                  }
                }
              });
      return answer;
    }

    private <T> Optional<T> run(TransactionRequest<T> request, Set<KeyRef> locked) {
      return space
          .transact(
              new TransactionRequest<T>(
                  List.of(), List.of(), view -> request.body().run(new Locked(view, locked))))
          .toCompletableFuture()
          .join();
    }
  }

  private final class Locked implements TransactionView {
    private final TransactionView view;
    private final Set<KeyRef> locked;

    Locked(TransactionView view, Set<KeyRef> locked) {
      this.view = view;
      this.locked = locked;
    }

    @Override
    public Outcome execute(KeyMap map, KeyCommand command) {
      threads.add(Thread.currentThread());
      require(map, command.key());
      return view.execute(map, command);
    }

    @Override
    public KeyMap.MoveOutcome copy(
        KeyMap source, byte[] from, KeyMap target, byte[] to, boolean replace) {
      require(source, from);
      require(target, to);
      return view.copy(source, from, target, to, replace);
    }

    private void require(KeyMap map, byte[] key) {
      KeyRef ref = new KeyRef(map, key);
      if (!locked.contains(ref)) {
        throw new KeyNeeded(ref);
      }
    }

    @Override
    public long nowMillis() {
      return view.nowMillis();
    }
  }

  @Test
  void scriptIsRunAnewForKeysThatItDidNotDeclare() throws IOException {
    try (TestMember member = TestMember.start(locking(), config -> config);
        WireClient client = member.connect("acme")) {
      assertThat(
              client.call(
                  "EVAL",
                  "pcall(redis.call, 'INCR', KEYS[1]) redis.pcall('INCR', 'b')"
                      + " coroutine.wrap(function() redis.call('RENAME', 'b', 'c') end)()"
                      + " return redis.call('MGET', KEYS[1], 'b', 'c')",
                  "1",
                  "a"))
          .isEqualTo("*3\r\n$1\r\n1\r\n$-1\r\n$1\r\n1\r\n");
    }
    assertThat(runs.get()).as("b, c, and the last one").isGreaterThanOrEqualTo(3);
  }

  @Test
  void longScriptRunsOnAThreadOfItsOwn() throws IOException {
    try (TestMember member = TestMember.start(locking(), config -> config);
        WireClient client = member.connect("acme")) {
      assertThat(
              client.call(
                  "EVAL",
                  "for i = 1, 300000 do end threads = redis.call('INCR', KEYS[1]) return threads",
                  "1",
                  "a"))
          .contains("Attempt to modify a readonly table");
      threads.clear();
      assertThat(
              client.call(
                  "EVAL", "for i = 1, 300000 do end return redis.call('INCR', 'undeclared')", "0"))
          .isEqualTo(":1\r\n");
    }
    assertThat(threads).isNotEmpty();
    assertThatCode(
            () ->
                assertThat(threads)
                    .allMatch(thread -> !thread.isVirtual())
                    .allMatch(thread -> thread.getName().startsWith("kvs-script-")))
        .doesNotThrowAnyException();
  }

  @Test
  void blockOfAScriptRunsOnceOnAThreadForScripts() throws IOException {
    try (TestMember member = TestMember.start(locking(), config -> config);
        WireClient client = member.connect("acme")) {
      client.call("MULTI");
      client.call("EVAL", "return {redis.call('INCR', KEYS[1]), ARGV[1]}", "2", "a", "b", "x");
      client.call("ZUNION", "2", "s", "t");
      client.call("ZUNIONSTORE", "d", "2", "s", "t");
      client.call("SINTERCARD", "2", "u", "v");
      client.call("LMPOP", "2", "l", "m", "LEFT");
      assertThat(client.call("EXEC"))
          .isEqualTo("*5\r\n*2\r\n:1\r\n$1\r\nx\r\n*0\r\n:0\r\n:0\r\n*-1\r\n");
    }
    assertThat(runs.get()).as("all keys are declared").isEqualTo(1);
    assertThat(threads).allMatch(thread -> thread.getName().startsWith("kvs-script-"));
  }

  @Test
  void rightsHoldForEachCommandOfAScript() throws IOException {
    TenantDirectory tenants = new TenantDirectory(false);
    GrantDirectory grants = new GrantDirectory(tenants, InstantSource.system());
    tenants.apply(tenant("acme"));
    tenants.apply(tenant("globex"));
    grants.apply(
        new MapGrants(
            new QualifiedName(new TenantName("acme"), new MapName("orders")),
            TestMember.identity("acme").number(),
            List.of(
                new Grant(
                    "0",
                    new TenantName("globex"),
                    TestMember.identity("globex").number(),
                    Scope.MAP,
                    Rights.READ,
                    Instant.EPOCH,
                    null,
                    "operator")),
            1));
    Engine engine = new GrantedEngine(new MapEngine(InstantSource.system()), grants);
    try (TestMember member = TestMember.start(engine, config -> config);
        WireClient owner = member.connect("acme");
        WireClient client = member.connect("globex")) {
      owner.call("SELECT", "orders");
      owner.call("SET", "k", "v");
      assertThat(client.call("SELECT", "acme/orders")).isEqualTo("+OK\r\n");
      assertThat(client.call("EVAL", "return redis.call('GET', 'k')", "0"))
          .isEqualTo("$1\r\nv\r\n");
      assertThat(
              client.call(
                  "EVAL",
                  "return {redis.pcall('SET', 'k', 'x'), redis.pcall('DEL', 'k', 'k2'),"
                      + " redis.pcall('RENAME', 'k', 'x'), redis.pcall('MSETNX', 'x', 'y')}",
                  "0"))
          .startsWith("*4\r\n-NOPERM ")
          .matches("(?s)(?:.*-NOPERM ){4}.*");
      client.call("SELECT", "0");
      assertThat(
              client.call(
                  "EVAL",
                  "redis.call('SELECT', 'acme/orders') return redis.pcall('SET', 'k', 'x')",
                  "0"))
          .startsWith("-NOPERM ");
      assertThat(client.call("EVAL", "return redis.pcall('SELECT', 'acme/secret')", "0"))
          .startsWith("-NOPERM ");
      assertThat(owner.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      assertThat(
              member.meters().readings().stream()
                  .filter(each -> each.tenant().value().equals("globex"))
                  .mapToLong(each -> each.refused())
                  .sum())
          .isEqualTo(3);
    }
  }

  private static Tenant tenant(String name) {
    return new Tenant(
        new TenantName(name),
        TestMember.identity(name).number(),
        TenantState.ACTIVE,
        Instant.EPOCH,
        List.of(),
        Quota.USUAL,
        1);
  }
}
