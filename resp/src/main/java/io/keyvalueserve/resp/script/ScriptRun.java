package io.keyvalueserve.resp.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.TransactionBody;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.lua.Budget;
import io.keyvalueserve.lua.BudgetExceeded;
import io.keyvalueserve.lua.BudgetExceeded.Bound;
import io.keyvalueserve.lua.LuaError;
import io.keyvalueserve.lua.LuaNil;
import io.keyvalueserve.lua.LuaNumber;
import io.keyvalueserve.lua.LuaString;
import io.keyvalueserve.lua.LuaTable;
import io.keyvalueserve.lua.LuaValue;
import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.Descriptor;
import io.keyvalueserve.resp.command.OutgoingMessage;
import io.keyvalueserve.resp.command.PublishingCommand;
import io.keyvalueserve.resp.command.Scripting.Invocation;
import io.keyvalueserve.resp.command.TransactionScope;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs a script as the body of a transaction. All runs of the body together have the bounds: a body
 * is run anew when it asks for a key that is not locked.
 *
 * <p>One thread at a time runs it. {@link #kill} is for any thread.
 */
final class ScriptRun implements TransactionBody<Reply> {
  /** Calls of Lua functions inside each other, in one coroutine. */
  private static final int MOST_DEPTH = 10_000;

  private static final int MOST_COROUTINES = 10_000;

  /** Steps that are charged as one operation that reads. */
  private static final long STEPS_PER_OPERATION = 10_000;

  private static final Reply.ErrorLine NO_WRITES =
      Reply.error("ERR Write commands are not allowed from read-only scripts.");
  private static final LuaString ERR = LuaString.constant("err");

  private final ScriptCode code;
  private final Invocation invocation;
  private final TransactionScope.Caller caller;
  private final long memoryBytes;
  private long stepsLeft;
  private long nanosLeft;
  private long steps;
  private volatile @Nullable Budget budget;
  private volatile boolean killed;

  /** The same in each run, so that a script which is run anew uses the same keys. */
  private final int seed = ThreadLocalRandom.current().nextInt();

  // ---- of the present run

  private @Nullable TransactionScope scope;
  private boolean resp3;

  /**
   * @param limits the bounds
   */
  ScriptRun(
      ScriptCode code, Invocation invocation, TransactionScope.Caller caller, ScriptLimits limits) {
    this.code = code;
    this.invocation = invocation;
    this.caller = caller;
    this.memoryBytes = limits.memoryBytes();
    this.stepsLeft = limits.steps();
    this.nanosLeft = limits.time().toNanos();
  }

  /** Returns the keys that the caller has declared. */
  List<KeyRef> keys() {
    KeyMap map = caller.map();
    return invocation.keys().stream().map(key -> new KeyRef(map, key)).toList();
  }

  /** Ends the script soon, and with it the transaction. */
  void kill() {
    killed = true;
    Budget present = budget;
    if (present != null) {
      present.kill();
    }
  }

  /** Returns the messages that the last run has published. For before the {@link #charge}. */
  List<OutgoingMessage> messages() {
    TransactionScope last = scope;
    return last == null ? List.of() : last.messages();
  }

  /** Charges what the last run has carried out, and the steps of all runs since the last charge. */
  void charge() {
    TransactionScope last = scope;
    if (last != null) {
      last.countReads(steps / STEPS_PER_OPERATION);
      caller.bill().accept(last.work());
      steps = 0;
      scope = null;
    }
  }

  /**
   * Runs the script.
   *
   * @return its reply, an error included
   * @throws ScriptEnded if it has reached a bound, or the run has used up its time
   */
  @Override
  public Reply run(TransactionView view) {
    scope = TransactionScope.ofScript(view, caller);
    resp3 = false;
    long begun = System.nanoTime();
    long deadline = view.deadlineNanos();
    long nanos = deadline == 0 ? nanosLeft : Math.min(nanosLeft, deadline - begun);
    Budget present =
        new Budget(
            stepsLeft,
            memoryBytes,
            Duration.ofNanos(Math.max(0, nanos)),
            MOST_DEPTH,
            MOST_COROUTINES);
    budget = present;
    if (killed) {
      throw new ScriptEnded(Bound.KILLED);
    }
    try {
      LuaValue[] results =
          code.script()
              .run(
                  RedisLibrary.ENVIRONMENT,
                  invocation.keys(),
                  invocation.arguments(),
                  this,
                  seed,
                  present);
      return Conversion.toReply(results.length == 0 ? LuaNil.NIL : results[0], resp3, present);
    } catch (LuaError e) {
      return error(e);
    } catch (BudgetExceeded e) {
      throw new ScriptEnded(e.bound());
    } finally {
      long taken = present.steps();
      steps += taken;
      stepsLeft = Math.max(0, stepsLeft - taken);
      nanosLeft = Math.max(0, nanosLeft - (System.nanoTime() - begun));
      budget = null;
    }
  }

  /** Carries a command out that the script calls. */
  Reply call(byte[][] words) {
    Request request = new Request(words);
    Command command;
    try {
      command = TransactionScope.resolve(request);
    } catch (CommandException e) {
      return e.reply();
    }
    if ((command.descriptor().has(Descriptor.Flag.WRITE) || command instanceof PublishingCommand)
        && (invocation.readOnly() || code.has(ScriptCode.Flag.NO_WRITES))) {
      return NO_WRITES;
    }
    TransactionScope present = scope;
    if (present == null) {
      throw new IllegalStateException("no run is under way");
    }
    return present.execute(command, request);
  }

  /** Returns whether the script has asked for the types of RESP3. */
  boolean speaksResp3() {
    return resp3;
  }

  void speakResp3(boolean yes) {
    resp3 = yes;
  }

  // ---- errors

  /** Returns the reply for an error of the script, with the place where it was raised. */
  private Reply error(LuaError error) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    switch (error.value()) {
      case LuaTable table -> {
        if (table.get(ERR) instanceof LuaString text) {
          line.writeBytes(text.toBytes());
        } else {
          line.writeBytes("ERR unknown error".getBytes(UTF_8));
        }
      }
      case LuaString text -> {
        line.writeBytes("ERR ".getBytes(UTF_8));
        line.writeBytes(text.toBytes());
      }
      case LuaNumber number -> line.writeBytes(("ERR " + number).getBytes(UTF_8));
      case LuaValue other -> line.writeBytes(("ERR " + other).getBytes(UTF_8));
    }
    String chunk = error.chunk();
    if (chunk != null && error.line() > 0) {
      line.writeBytes(
          (" script: " + code.digest() + ", on @" + chunk + ":" + error.line() + ".")
              .getBytes(UTF_8));
    }
    return new Reply.ErrorLine(line.toByteArray());
  }
}
