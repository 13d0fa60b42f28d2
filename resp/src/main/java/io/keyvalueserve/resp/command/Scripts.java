package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.command.Scripting.Invocation;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Commands that run scripts and keep them: EVAL, EVALSHA, EVAL_RO, EVALSHA_RO, SCRIPT. */
final class Scripts {
  private static final int FIRST_KEY = 3;
  private static final int DIGEST_LENGTH = 40;

  private static final Descriptor SCRIPT =
      Descriptor.of("script", -2, Group.SCRIPTING, "", "Keeps scripts.").since("2.6.0");

  static final List<Command> ALL =
      List.of(
          new Eval("eval", false, false),
          new Eval("eval_ro", false, true),
          new Eval("evalsha", true, false),
          new Eval("evalsha_ro", true, true),
          new Container(
              SCRIPT,
              null,
              List.of(
                  Container.subcommand(
                      SCRIPT,
                      sub("debug", 3, "YES|SYNC|NO", "Is refused: there is no debugger."),
                      (client, request) -> debug(request)),
                  new Asking(
                      sub(
                          "exists",
                          -3,
                          "sha1 [sha1 ...]",
                          "Tells which scripts the tenant has loaded or run."),
                      (client, request) ->
                          client.member().scripting().exist(client, digests(request))),
                  new Asking(
                      sub("flush", -2, "[ASYNC|SYNC]", "Forgets all scripts of the tenant."),
                      Scripts::flush),
                  Container.subcommand(
                      SCRIPT,
                      sub("kill", 2, "", "Ends the long scripts of the tenant on this member."),
                      (client, request) -> client.member().scripting().kill(client)),
                  new Asking(
                      sub("load", 3, "script", "Keeps a script for all members."),
                      (client, request) ->
                          client.member().scripting().load(client, request.argument(2))),
                  new Asking(
                      sub("show", 3, "sha1", "Returns the source of a script."),
                      (client, request) ->
                          client.member().scripting().show(client, request.latin(2))))));

  private Scripts() {}

  private static Descriptor sub(String name, int arity, String usage, String summary) {
    return Descriptor.of(name, arity, Group.SCRIPTING, usage, summary)
        .with(Flag.NOSCRIPT)
        .since("2.6.0");
  }

  private static Reply debug(Request request) {
    return request.is(2, "NO")
        ? Reply.OK
        : request.is(2, "YES") || request.is(2, "SYNC")
            ? Reply.error("ERR SCRIPT DEBUG is not supported by this server")
            : Reply.error("ERR Use SCRIPT DEBUG YES/SYNC/NO");
  }

  private static List<String> digests(Request request) {
    return Many.of(request.count() - 2, i -> request.latin(i + 2));
  }

  private static CompletionStage<Reply> flush(Client client, Request request) {
    boolean isValid =
        request.count() == 2
            || (request.count() == 3 && (request.is(2, "ASYNC") || request.is(2, "SYNC")));
    if (!isValid) {
      throw new CommandException("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
    }
    return client.member().scripting().flush(client);
  }

  /** A subcommand that asks for more than the session has at hand. */
  private record Asking(Descriptor descriptor, Question question) implements SpaceCommand {
    @FunctionalInterface
    interface Question {
      CompletionStage<Reply> ask(Client client, Request request);
    }

    Asking(Descriptor descriptor, Question question) {
      this.descriptor = descriptor.inside(SCRIPT.name());
      this.question = question;
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      return question.ask(client, request);
    }
  }

  /** EVAL and its kin. */
  private static final class Eval implements SpaceCommand {
    private final Descriptor descriptor;
    private final boolean isDigest;
    private final boolean readOnly;

    private Eval(String name, boolean isDigest, boolean readOnly) {
      this.isDigest = isDigest;
      this.readOnly = readOnly;
      Descriptor plain =
          Descriptor.of(
              name,
              -3,
              Group.SCRIPTING,
              (isDigest ? "sha1" : "script") + " numkeys [key [key ...]] [arg [arg ...]]",
              (isDigest ? "Runs a script that is known" : "Runs a script in Lua")
                  + (readOnly ? ", which may not write." : "."));
      this.descriptor =
          (readOnly
                  ? plain.with(
                      Flag.READONLY,
                      Flag.NOSCRIPT,
                      Flag.STALE,
                      Flag.SKIP_MONITOR,
                      Flag.NO_MANDATORY_KEYS,
                      Flag.MOVABLEKEYS)
                  : plain.with(
                      Flag.NOSCRIPT,
                      Flag.STALE,
                      Flag.SKIP_MONITOR,
                      Flag.NO_MANDATORY_KEYS,
                      Flag.MOVABLEKEYS))
              .since(readOnly ? "7.0.0" : "2.6.0")
              .complexity("Depends on the script");
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      Invocation invocation = invocation(request);
      Scripting scripting = client.member().scripting();
      return isDigest
          ? scripting.evalSha(client, request.latin(1), invocation)
          : scripting.eval(client, request.argument(1), invocation);
    }

    @Override
    public List<byte[]> keys(Request request) {
      return Many.of(keyCount(request, FIRST_KEY - 1), i -> request.argument(FIRST_KEY + i));
    }

    @Override
    public boolean isTransactional() {
      return true;
    }

    @Override
    public TransactionStep inTransaction(Client client, KeyMap map, Request request) {
      return client
          .member()
          .scripting()
          .step(client, map, request.argument(1), isDigest, invocation(request));
    }

    private Invocation invocation(Request request) {
      if (isDigest && request.length(1) != DIGEST_LENGTH) {
        throw new CommandException(Errors.NO_SCRIPT); // as Redis, before the rest is looked at
      }
      int keys = keyCount(request, FIRST_KEY - 1);
      int arguments = request.count() - FIRST_KEY - keys;
      return new Invocation(
          Many.of(keys, i -> request.argument(FIRST_KEY + i)),
          Many.of(arguments, i -> request.argument(FIRST_KEY + keys + i)),
          readOnly);
    }
  }

  /**
   * Returns the number of keys that a request declares.
   *
   * @param index of the argument that says it; the keys follow
   * @throws CommandException if it is no such number
   */
  static int keyCount(Request request, int index) {
    long count = Parsing.integer(request, index);
    if (count > request.count() - index - 1) {
      throw new CommandException("ERR Number of keys can't be greater than number of args");
    }
    if (count < 0) {
      throw new CommandException("ERR Number of keys can't be negative");
    }
    return (int) count;
  }
}
