package io.keyvalueserve.resp.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.ScriptStore;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionOrigin;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.gates.fairness.WaitMeters;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.lua.BudgetExceeded.Bound;
import io.keyvalueserve.resp.command.Client;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.Errors;
import io.keyvalueserve.resp.command.OutgoingMessage;
import io.keyvalueserve.resp.command.Scripting;
import io.keyvalueserve.resp.command.TransactionScope;
import io.keyvalueserve.resp.command.TransactionStep;
import io.keyvalueserve.resp.protocol.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of a door's clients: compiled ones of each tenant, and those that run.
 *
 * <p>A script is first run on the event loop of its session, with little time. If that is not
 * enough, the run is given up, which leaves nothing, as a transaction changes nothing before it
 * ends. The script is then run anew on the threads of a {@link ScriptPool}, with all its bounds.
 *
 * <p>Thread-safe, but for the methods of {@link Scripting}.
 */
public final class ScriptService implements Scripting, AutoCloseable {
  /** The time that a script may have on an event loop. */
  private static final Duration LOOP_TIME = Duration.ofNanos(300_000);

  private static final long LOOP_STEPS = 100_000;

  /** A longer source is compiled on another thread. */
  private static final int COMPILED_AT_ONCE = 4096;

  private static final Reply.ErrorLine NOT_BUSY =
      Reply.error("NOTBUSY No scripts in execution right now.");
  private static final Reply.ErrorLine NOT_READ_ONLY =
      Reply.error("ERR Can not execute a script with write flag using *_ro command.");
  private static final Reply.ErrorLine TOO_MANY =
      Reply.error("ERR too many scripts of the tenant wait for their turn");

  private final ScriptLimits limits;
  private final ScriptLimits loopLimits;
  private final ScriptStore store;
  private final MemberHeap heap;
  private final LongSupplier nanoTime;
  private final ScriptPool pool;
  private final ConcurrentHashMap<Integer, TenantScripts> scripts = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Integer, Set<ScriptRun>> running = new ConcurrentHashMap<>();

  /**
   * Creates a service without scripts.
   *
   * @param store keeps scripts that were loaded
   * @param heap counts what compiled scripts take
   * @param weights of tenants by their numbers, for turns of long scripts
   * @param waits takes the meters of the time that scripts wait for their turn
   */
  public ScriptService(
      ScriptLimits limits,
      ScriptStore store,
      MemberHeap heap,
      IntUnaryOperator weights,
      WaitMeters waits,
      LongSupplier nanoTime) {
    this.limits = limits;
    this.loopLimits =
        new ScriptLimits(
            Math.min(LOOP_STEPS, limits.steps()),
            limits.memoryBytes(),
            LOOP_TIME.compareTo(limits.time()) < 0 ? LOOP_TIME : limits.time(),
            limits.sourceBytes());
    this.store = store;
    this.heap = heap;
    this.nanoTime = nanoTime;
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    this.pool = new ScriptPool(threads, weights, waits, nanoTime);
    store.onFlush(this::forgetScripts);
  }

  private TenantScripts scripts(int tenant) {
    TenantScripts known = scripts.get(tenant);
    return known != null
        ? known
        : scripts.computeIfAbsent(
            tenant, number -> new TenantScripts(heap.lease(number, HeapUse.SCRIPTS)));
  }

  private void forgetScripts(int tenant) {
    TenantScripts known = scripts.get(tenant);
    if (known != null) {
      known.clear();
    }
  }

  /** Forgets a tenant that was deleted. */
  public void forget(int tenant) {
    TenantScripts known = scripts.remove(tenant);
    if (known != null) {
      known.clear();
    }
    running.remove(tenant);
    pool.forget(tenant);
  }

  /** Takes no more scripts that are long. */
  @Override
  public void close() {
    pool.close();
    running.values().forEach(runs -> runs.forEach(ScriptRun::kill));
  }

  // ---- running

  @Override
  public CompletionStage<Reply> eval(Client client, byte[] source, Invocation invocation) {
    checkLength(source);
    int tenant = client.identity().number();
    TenantScripts own = scripts(tenant);
    String digest = ScriptCode.digestOf(source);
    ScriptCode code = own.find(digest, nanoTime.getAsLong());
    if (code == null) {
      if (source.length > COMPILED_AT_ONCE) {
        TransactionScope.Caller caller = TransactionScope.Caller.of(client);
        return onPool(tenant, () -> compile(own, digest, source))
            .thenCompose(
                compiled -> {
                  check(compiled, invocation);
                  return runLong(tenant, compiled, invocation, caller);
                });
      }
      code = compile(own, digest, source);
    }
    check(code, invocation);
    return run(client, tenant, code, invocation);
  }

  @Override
  public CompletionStage<Reply> evalSha(Client client, String digest, Invocation invocation) {
    int tenant = client.identity().number();
    String known = known(digest);
    if (known == null) {
      throw new CommandException(Errors.NO_SCRIPT);
    }
    ScriptCode code = scripts(tenant).find(known, nanoTime.getAsLong());
    if (code != null) {
      check(code, invocation);
      return run(client, tenant, code, invocation);
    }
    TransactionScope.Caller caller = TransactionScope.Caller.of(client);
    return fetch(tenant, known)
        .thenCompose(
            fetched -> {
              check(fetched, invocation);
              return runLong(tenant, fetched, invocation, caller);
            });
  }

  @Override
  public TransactionStep step(
      Client client, KeyMap map, byte[] source, boolean isDigest, Invocation invocation) {
    TenantScripts own = scripts(client.identity().number());
    if (!isDigest) {
      checkLength(source);
    }
    String digest = isDigest ? known(new String(source, ISO_8859_1)) : ScriptCode.digestOf(source);
    if (digest == null) {
      throw new CommandException(Errors.NO_SCRIPT);
    }
    ScriptCode known = own.find(digest, nanoTime.getAsLong());
    if (known == null && isDigest) {
      throw new CommandException(Errors.NO_SCRIPT);
    }
    ScriptCode code = known == null ? compile(own, digest, source) : known;
    check(code, invocation);
    ScriptRun run =
        new ScriptRun(code, invocation, TransactionScope.Caller.of(client, map), limits);
    Set<ScriptRun> runs = runs(client.identity().number());
    return new TransactionStep() {
      private volatile List<OutgoingMessage> messages = List.of();

      @Override
      public Reply run(TransactionView view) {
        runs.add(run);
        try {
          return run.run(view);
        } catch (ScriptEnded e) {
          throw new CommandException(reply(code, e)); // and with it the transaction fails
        }
      }

      @Override
      public void ended() {
        runs.remove(run);
        messages = run.messages();
        run.charge();
      }

      @Override
      public List<OutgoingMessage> messages() {
        return messages;
      }
    };
  }

  @Override
  public <T> CompletionStage<Optional<T>> transact(Client client, TransactionRequest<T> request) {
    TenantSpace space = client.space();
    return onPool(client.identity().number(), () -> transactHere(space, request));
  }

  /** Runs a transaction with its body on this thread. Blocks until it has ended. */
  private static <T> Optional<T> transactHere(TenantSpace space, TransactionRequest<T> request) {
    OwnThread<T> body = new OwnThread<>(request.body());
    return body.await(
        space.transact(
            new TransactionRequest<>(request.keys(), request.watches(), body, request.origin())));
  }

  private Set<ScriptRun> runs(int tenant) {
    return running.computeIfAbsent(tenant, any -> ConcurrentHashMap.newKeySet());
  }

  private void checkLength(byte[] source) {
    if (source.length > limits.sourceBytes()) {
      throw new CommandException(
          "ERR a script of "
              + source.length
              + " bytes is longer than the limit of "
              + limits.sourceBytes()
              + " bytes: make it shorter, or have 'scripts.max-source' raised");
    }
  }

  /** Throws if a script may not be run as it was asked for. */
  private static void check(ScriptCode code, Invocation invocation) {
    if (invocation.readOnly() && code.declaresFlags() && !code.has(ScriptCode.Flag.NO_WRITES)) {
      throw new CommandException(NOT_READ_ONLY);
    }
  }

  private ScriptCode compile(TenantScripts own, String digest, byte[] source) {
    ScriptCode code = ScriptCode.compile(source, digest);
    own.add(code, nanoTime.getAsLong());
    return code;
  }

  /** Returns a digest as it is kept, or null if it cannot be one. */
  private static @Nullable String known(String digest) {
    return digest.length() == ScriptCode.DIGEST_LENGTH ? digest.toLowerCase(Locale.ROOT) : null;
  }

  /** Finds a script that was loaded at any member. */
  private CompletionStage<ScriptCode> fetch(int tenant, String digest) {
    return store
        .find(tenant, digest)
        .thenCompose(
            source ->
                source.isEmpty()
                    ? CompletableFuture.failedFuture(new CommandException(Errors.NO_SCRIPT))
                    : onPool(tenant, () -> compile(scripts(tenant), digest, source.get())));
  }

  private <T> CompletionStage<T> onPool(int tenant, Supplier<T> task) {
    Executor executor =
        work -> {
          if (!pool.execute(tenant, work)) {
            throw new CommandException(TOO_MANY);
          }
        };
    try {
      return CompletableFuture.supplyAsync(task, executor);
    } catch (CommandException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Runs a script on the event loop, and elsewhere if it takes longer. */
  private CompletionStage<Reply> run(
      Client client, int tenant, ScriptCode code, Invocation invocation) {
    TransactionScope.Caller caller = TransactionScope.Caller.of(client);
    if (code.isLong()) {
      return runLong(tenant, code, invocation, caller);
    }
    ScriptRun run = new ScriptRun(code, invocation, caller, loopLimits);
    CompletableFuture<Optional<Reply>> done =
        caller
            .space()
            .transact(
                new TransactionRequest<>(run.keys(), List.of(), run, TransactionOrigin.SCRIPT))
            .toCompletableFuture();
    if (done.isDone() && !done.isCompletedExceptionally()) {
      return answer(client, run, done.resultNow());
    }
    return done.handle(
            (reply, failure) -> {
              if (cause(failure) instanceof ScriptEnded ended && isLong(ended)) {
                code.wasLong();
                return runLong(tenant, code, invocation, caller);
              }
              if (failure == null) {
                return answer(client, run, reply);
              }
              run.charge();
              return CompletableFuture.<Reply>failedFuture(failure);
            })
        .thenCompose(answer -> answer)
        .exceptionally(failure -> endedReply(code, failure));
  }

  /** Returns whether a script that ended on an event loop may have more elsewhere. */
  private boolean isLong(ScriptEnded ended) {
    return switch (ended.bound()) {
      case TIME -> true;
      case STEPS -> limits.steps() > loopLimits.steps();
      default -> false;
    };
  }

  /** Runs a script on the threads for long ones. */
  private CompletionStage<Reply> runLong(
      int tenant, ScriptCode code, Invocation invocation, TransactionScope.Caller caller) {
    ScriptRun run = new ScriptRun(code, invocation, caller, limits);
    Set<ScriptRun> runs = runs(tenant);
    runs.add(run);
    TransactionRequest<Reply> request =
        new TransactionRequest<>(run.keys(), List.of(), run, TransactionOrigin.SCRIPT);
    return onPool(tenant, () -> transactHere(caller.space(), request))
        .handle(
            (reply, failure) -> {
              runs.remove(run);
              if (failure == null) {
                return answer(caller.client(), run, reply);
              }
              run.charge();
              return CompletableFuture.completedFuture(endedReply(code, failure));
            })
        .thenCompose(answer -> answer);
  }

  /** Charges a run that was carried out, and sends what it has published. */
  private static CompletionStage<Reply> answer(
      Client client, ScriptRun run, Optional<Reply> reply) {
    List<OutgoingMessage> messages = run.messages();
    run.charge();
    Reply answer = reply.orElse(Reply.Null.NULL);
    return messages.isEmpty()
        ? CompletableFuture.completedFuture(answer)
        : client.publish(messages, answer);
  }

  private static @Nullable Throwable cause(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Returns the reply for a script that has reached a bound; throws for other failures. */
  private Reply endedReply(ScriptCode code, Throwable failure) {
    if (!(cause(failure) instanceof ScriptEnded ended)) {
      throw failure instanceof CompletionException known ? known : new CompletionException(failure);
    }
    return reply(code, ended);
  }

  private Reply.ErrorLine reply(ScriptCode code, ScriptEnded ended) {
    if (ended.bound() == Bound.KILLED) {
      return Reply.error("ERR Script killed by user with SCRIPT KILL... script: " + code.digest());
    }
    String reason =
        switch (ended.bound()) {
          case STEPS ->
              "takes more than "
                  + limits.steps()
                  + " steps: make it shorter, or have 'scripts.max-steps' raised";
          case MEMORY ->
              "takes more than "
                  + limits.memoryBytes()
                  + " bytes of memory: make it smaller, or have 'scripts.max-memory' raised";
          case TIME ->
              "takes more than "
                  + limits.time().toMillis()
                  + " ms: make it shorter, or have 'scripts.max-millis' raised";
          case DEPTH -> "calls functions too deep inside each other";
          case COROUTINES -> "creates too many coroutines";
          case KILLED -> "was ended";
        };
    return Reply.error(
        "ERR the script " + reason + "; nothing was changed. script: " + code.digest());
  }

  // ---- keeping

  @Override
  public CompletionStage<Reply> load(Client client, byte[] source) {
    checkLength(source);
    int tenant = client.identity().number();
    TenantScripts own = scripts(tenant);
    String digest = ScriptCode.digestOf(source);
    CompletionStage<ScriptCode> compiled;
    if (own.has(digest)) {
      compiled = CompletableFuture.completedFuture(null);
    } else if (source.length > COMPILED_AT_ONCE) {
      compiled = onPool(tenant, () -> compile(own, digest, source));
    } else {
      compiled = CompletableFuture.completedFuture(compile(own, digest, source));
    }
    return compiled
        .thenCompose(any -> store.load(tenant, digest, source))
        .thenApply(nothing -> Reply.bulk(digest));
  }

  @Override
  public CompletionStage<Reply> exist(Client client, List<String> digests) {
    int tenant = client.identity().number();
    TenantScripts own = scripts(tenant);
    List<String> asked = digests.stream().map(each -> each.toLowerCase(Locale.ROOT)).toList();
    if (asked.stream().allMatch(own::has)) {
      return CompletableFuture.completedFuture(answers(asked, own, List.of()));
    }
    return store.exist(tenant, asked).thenApply(kept -> answers(asked, own, kept));
  }

  private static Reply answers(List<String> asked, TenantScripts own, List<Boolean> kept) {
    return new Reply.Array(
        IntStream.range(0, asked.size())
            .mapToObj(
                i ->
                    own.has(asked.get(i)) || (i < kept.size() && kept.get(i))
                        ? Reply.Int.ONE
                        : Reply.Int.ZERO)
            .toList());
  }

  @Override
  public CompletionStage<Reply> show(Client client, String digest) {
    int tenant = client.identity().number();
    String known = known(digest);
    if (known == null) {
      throw new CommandException(Errors.NO_SCRIPT);
    }
    ScriptCode code = scripts(tenant).find(known, nanoTime.getAsLong());
    return code != null
        ? CompletableFuture.completedFuture(new Reply.Bulk(code.source()))
        : store
            .find(tenant, known)
            .thenApply(
                source -> source.isPresent() ? new Reply.Bulk(source.get()) : Errors.NO_SCRIPT);
  }

  @Override
  public CompletionStage<Reply> flush(Client client) {
    int tenant = client.identity().number();
    return store
        .flush(tenant)
        .thenApply(
            nothing -> {
              forgetScripts(tenant);
              return Reply.OK;
            });
  }

  @Override
  public Reply kill(Client client) {
    Set<ScriptRun> runs = running.getOrDefault(client.identity().number(), Set.of());
    if (runs.isEmpty()) {
      return NOT_BUSY;
    }
    runs.forEach(ScriptRun::kill);
    return Reply.OK;
  }
}
