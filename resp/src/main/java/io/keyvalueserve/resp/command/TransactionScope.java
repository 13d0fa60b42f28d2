package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.engine.DeadlinePassed;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionOperation;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries commands out within one run of a transaction's body, and counts what they do. For the
 * thread of the run.
 */
public final class TransactionScope {
  /**
   * The session for which a transaction is run, as it was when the transaction began. Thread-safe.
   *
   * @param client the session
   * @param space all that its tenant can reach
   * @param tenant its tenant
   * @param map the map that it has selected
   * @param mostCollectionBytes the largest collection a command may build, in bytes
   * @param bill charges what was carried out
   * @param mostValueBytes the longest value a command may build, in bytes
   */
  public record Caller(
      Client client,
      TenantSpace space,
      TenantName tenant,
      KeyMap map,
      int mostValueBytes,
      int mostCollectionBytes,
      Consumer<Work> bill) {
    /** Notes who runs a transaction. On the session's event loop. */
    public static Caller of(Client client) {
      return of(client, client.map());
    }

    /** Charges reads beyond the operations that were admitted. Any thread. */
    public void billReads(long reads) {
      if (reads > 0) {
        bill.accept(new Work(reads, 0, 0, null));
      }
    }

    /** Notes who runs a transaction, on another map. On the session's event loop. */
    public static Caller of(Client client, KeyMap map) {
      return new Caller(
          client,
          client.space(),
          client.identity().tenant(),
          map,
          client.member().mostValueBytes(),
          client.member().mostCollectionBytes(),
          client.bill());
    }
  }

  /**
   * The work of a transaction.
   *
   * @param reads operations that read; the others likewise
   * @param refusal why the first command was refused for want of a right, or null if none was
   */
  public record Work(long reads, long writes, long deletes, @Nullable String refusal) {}

  /** The elements that are handled between two looks at the clock. */
  private static final int ELEMENTS_AT_ONCE = 256;

  private static final String REFUSED = "NOPERM ";
  private static final Reply.ErrorLine UNKNOWN =
      Reply.error("ERR Unknown Redis command called from script");
  private static final Reply.ErrorLine WRONG_ARITY =
      Reply.error("ERR Wrong number of args calling Redis command from script");
  private static final Reply.ErrorLine NOT_ALLOWED =
      Reply.error("ERR This Redis command is not allowed from script");

  /** Commands that no script may use, whether this door has them or not. */
  private static final Set<String> NOT_HERE =
      Set.of(
          "multi",
          "exec",
          "discard",
          "watch",
          "unwatch",
          "subscribe",
          "psubscribe",
          "ssubscribe",
          "unsubscribe",
          "punsubscribe",
          "sunsubscribe",
          "fcall",
          "fcall_ro",
          "function",
          "monitor",
          "sync",
          "psync",
          "save",
          "bgsave",
          "bgrewriteaof",
          "shutdown",
          "replicaof",
          "slaveof",
          "failover",
          "migrate",
          "debug",
          "acl");

  private static final int MOST_MESSAGES = 1024;
  private static final long MOST_MESSAGE_BYTES = 1 << 20;

  private final List<OutgoingMessage> messages = new ArrayList<>(0);
  private final TransactionView view;
  private final @Nullable KeyEvents events;
  private final Caller caller;
  private long messageBytes;
  private KeyMap map;
  private long reads;
  private long writes;
  private long deletes;
  private long handled;
  private @Nullable String refusal;
  private boolean isInScript;

  /** Creates a scope for one run. */
  public TransactionScope(TransactionView view, Caller caller) {
    this(view, caller, false);
  }

  /**
   * Creates a scope for one run of a script, whose commands may change keys that somebody is told
   * of.
   */
  public static TransactionScope ofScript(TransactionView view, Caller caller) {
    return new TransactionScope(view, caller, true);
  }

  private TransactionScope(TransactionView view, Caller caller, boolean isNoted) {
    this.events = isNoted ? KeyEvents.over(view, caller.client(), messages) : null;
    this.view = events == null ? view : events;
    this.caller = caller;
    this.map = caller.map();
  }

  /** Returns whether a command can be carried out within a transaction. */
  public static boolean allows(Command command) {
    return command instanceof KeyedCommand
        || command instanceof ViewCommand
        || command instanceof PublishingCommand
        || (command instanceof SpaceCommand space
            && space.isTransactional()
            && !command.descriptor().has(Descriptor.Flag.NOSCRIPT));
  }

  /**
   * Returns the command that a script calls.
   *
   * @throws CommandException if there is no such command, scripts may not use it, or the request
   *     has too few or too many arguments
   */
  public static Command resolve(Request request) {
    Command command = CommandTable.standard().find(request.argument(0));
    if (command == null) {
      throw new CommandException(
          NOT_HERE.contains(request.latin(0).toLowerCase(Locale.ROOT)) ? NOT_ALLOWED : UNKNOWN);
    }
    if (!command.descriptor().accepts(request)) {
      throw new CommandException(WRONG_ARITY);
    }
    if (!allows(command)) {
      throw new CommandException(NOT_ALLOWED);
    }
    return command;
  }

  /**
   * Carries a command of a script out that is {@linkplain #allows allowed}.
   *
   * @param request has as many arguments as the command takes
   * @return its reply, an error included
   * @throws io.keyvalueserve.engine.NotAtHand as {@link TransactionView#execute}
   * @throws DeadlinePassed if the run has taken too long
   */
  public Reply execute(Command command, Request request) {
    isInScript = true;
    KeyEvents noted = events;
    if (noted != null) {
      noted.begin(command, request);
    }
    try {
      count(command.descriptor(), request.count());
      return switch (command) {
        case KeyedCommand keyed -> execute(keyed, request);
        case ViewCommand small -> small.run(this, request);
        case MultiKeyCommand several -> several.runIfFew(this, request);
        case PublishingCommand publishing -> publishLater(publishing.message(request));
        case SpaceCommand space ->
            noted(space.inTransaction(caller.client(), map, request).run(view));
        default -> throw new IllegalArgumentException(command.descriptor().name());
      };
    } catch (CommandException e) {
      return e.reply();
    } catch (EngineException e) {
      note(e.failure());
      return Errors.of(e.failure());
    } finally {
      if (noted != null) {
        noted.end();
      }
    }
  }

  /** Carries a command on keys out that is a transaction by itself. */
  Reply run(Command command, Request request) {
    try {
      return execute((KeyedCommand) command, request);
    } catch (CommandException e) {
      return e.reply();
    } catch (EngineException e) {
      return Errors.of(e.failure());
    }
  }

  /** How many receive it, is not known before it is sent. */
  private Reply publishLater(OutgoingMessage message) {
    String denied = caller.client().channels().refusalToPublish(message.channel());
    if (denied != null) {
      refusal = refusal == null ? denied : refusal;
      throw new CommandException(REFUSED + denied);
    }
    messageBytes += message.bytes();
    if (messages.size() >= MOST_MESSAGES || messageBytes > MOST_MESSAGE_BYTES) {
      throw new CommandException(
          "ERR a script publishes at most "
              + MOST_MESSAGES
              + " messages and "
              + MOST_MESSAGE_BYTES
              + " bytes");
    }
    messages.add(message);
    return Reply.Int.ZERO;
  }

  /** Returns the messages that are to be sent when all has been carried out, in their order. */
  public List<OutgoingMessage> messages() {
    return messages;
  }

  private Reply execute(KeyedCommand command, Request request) {
    KeyedCommand.PlanContext context = context();
    Computation computation = command.computation(request, context);
    if (computation != null) {
      Outcome.Failure refused = refusalOf(computation.known());
      return refused != null
          ? Errors.of(refused)
          : Computation.run(computation, this::execute, this::checkTime);
    }
    KeyedPlan plan = command.plan(request, context);
    List<KeyCommand> commands = plan.commands();
    int count = commands.size();
    if (count != 1) {
      Outcome.Failure refused = refusalOf(commands);
      if (refused != null) {
        return Errors.of(refused);
      }
    }
    List<Outcome> outcomes = commands.stream().map(this::execute).toList();
    return plan.renderer().render(outcomes);
  }

  /** Returns the values that a command may depend on beside its arguments. */
  KeyedCommand.PlanContext context() {
    return new KeyedCommand.PlanContext(
        view.nowMillis(), caller.mostValueBytes(), caller.mostCollectionBytes());
  }

  /**
   * Ends the run if it has taken the time that it may take: then it is repeated where it may take
   * longer. Work on many elements calls this now and then.
   *
   * @throws DeadlinePassed which has to pass through to the engine
   */
  void checkTime() {
    checkTime(view);
  }

  /** Ends the run of a transaction if it has taken the time that it may take. */
  public static void checkTime(TransactionView view) {
    long deadline = view.deadlineNanos();
    if (deadline != 0 && System.nanoTime() - deadline > 0) {
      throw new DeadlinePassed();
    }
  }

  /**
   * Does all steps of a computation.
   *
   * @throws CommandException if it ends with an error
   * @throws EngineException if a command of it fails
   */
  Reply finish(Computation computation) {
    require(computation.known());
    while (true) {
      switch (computation.step()) {
        case Computation.Step.More _ -> checkTime();
        case Computation.Step.Ask ask -> computation.take(demand(ask.command()));
        case Computation.Step.Done done -> {
          return done.reply();
        }
      }
    }
  }

  /**
   * An element more was handled: gives the run up if its time is over.
   *
   * @throws DeadlinePassed as {@link #checkTime}
   */
  void handled() {
    if (++handled % ELEMENTS_AT_ONCE == 0) {
      checkTime();
    }
  }

  /** Returns why one of the commands is refused, or null if all are allowed. */
  private Outcome.@Nullable Failure refusalOf(List<? extends KeyCommand> commands) {
    for (KeyCommand each : commands) {
      Outcome.Failure refused = map.refusal(each);
      if (refused != null) {
        note(refused);
        return refused;
      }
    }
    return null;
  }

  /** Carries a command on one key of the selected map out. */
  Outcome execute(KeyCommand command) {
    Outcome outcome = view.execute(map, command);
    if (outcome instanceof Outcome.Failure failure) {
      note(failure);
    }
    return outcome;
  }

  /**
   * Carries a command on one key of the selected map out.
   *
   * @throws EngineException if it fails
   * @throws CommandException if it is rejected, as one on a value of another type is
   */
  Outcome demand(KeyCommand command) {
    return switch (execute(command)) {
      case Outcome.Failure failure -> throw new EngineException(failure);
      case Outcome.Rejected rejected -> throw new CommandException(Errors.of(rejected));
      case Outcome outcome -> outcome;
    };
  }

  /** An operation on the collection of a key of the selected map. */
  KeyCommand on(byte[] key, CollectionOperation operation, Arguments arguments) {
    return new KeyCommand.OnCollection(key, operation, arguments, caller.mostCollectionBytes());
  }

  /** Returns the largest collection a command may build, in bytes. */
  int mostCollectionBytes() {
    return caller.mostCollectionBytes();
  }

  /** Throws if one of the commands may not be carried out. */
  void require(List<? extends KeyCommand> commands) {
    Outcome.Failure refused = refusalOf(commands);
    if (refused != null) {
      throw new CommandException(Errors.of(refused));
    }
  }

  /** Notes a refusal of which only the reply is known. */
  private Reply noted(Reply reply) {
    if (refusal == null && reply instanceof Reply.ErrorLine error) {
      String text = new String(error.line(), UTF_8);
      if (text.startsWith(REFUSED)) {
        refusal = text.substring(REFUSED.length());
      }
    }
    return reply;
  }

  private void note(Outcome.Failure failure) {
    if (refusal == null && failure.kind() == Kind.REFUSED) {
      refusal = failure.message();
    }
  }

  private void count(Descriptor descriptor, int arguments) {
    Measure measure = descriptor.measure();
    if (measure == null) {
      return;
    }
    long operations = descriptor.operations(arguments);
    switch (measure) {
      case WRITES -> writes += operations;
      case DELETES -> deletes += operations;
      default -> reads += operations;
    }
  }

  /** Returns whether a script runs the commands. */
  boolean isInScript() {
    return isInScript;
  }

  /**
   * Has keys of the selected map locked at once that are about to be read.
   *
   * @param reads the commands that will be carried out, each on its key
   * @throws CommandException if one of them is not granted
   * @throws io.keyvalueserve.engine.KeyNeeded if some have to be locked first
   */
  void need(List<? extends KeyCommand> reads) {
    require(reads);
    view.need(map, reads.stream().map(KeyCommand::key).toList());
  }

  /** Counts work that no command has done as reads. */
  public void countReads(long operations) {
    reads += operations;
  }

  /** Returns what was carried out so far. */
  public Work work() {
    return new Work(reads, writes, deletes, refusal);
  }

  /** Returns the time of the transaction, in milliseconds since 1970. */
  public long nowMillis() {
    return view.nowMillis();
  }

  /**
   * Returns a map of the tenant's, or another's that it has been granted.
   *
   * @throws CommandException if nothing is granted on it
   */
  private KeyMap map(QualifiedName name) {
    if (name.tenant().equals(caller.tenant())) {
      return caller.space().map(name.map());
    }
    return caller
        .space()
        .granted(name)
        .orElseThrow(
            () -> {
              String reason =
                  "tenant '"
                      + caller.tenant()
                      + "' has no grant on '"
                      + name
                      + "': its owner can give one";
              refusal = refusal == null ? reason : refusal;
              return new CommandException("NOPERM " + reason);
            });
  }

  /**
   * Selects a map for the commands that follow, as SELECT does.
   *
   * @throws CommandException if there is no such map
   */
  public void select(String name) {
    map = map(Parsing.mapName(name, caller.tenant()));
  }
}
