package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Commands on more than single entries: RENAME, RENAMENX, COPY, KEYS, SCAN, RANDOMKEY, DBSIZE,
 * FLUSHDB, FLUSHALL, KVS.UNLOCK.
 */
final class Keyspace {
  static final List<Command> ALL =
      List.of(
          new Rename("rename", false),
          new Rename("renamenx", true),
          new Copy(),
          new Keys(),
          new Scan(),
          new RandomKey(),
          new DbSize(),
          new Flush("flushdb", false),
          new Flush("flushall", true),
          new Unlock());

  private Keyspace() {}

  private static final class Rename implements SpaceCommand {
    private final Descriptor descriptor;
    private final boolean onlyIfAbsent;

    Rename(String name, boolean onlyIfAbsent) {
      this.descriptor =
          Descriptor.of(
                  name,
                  3,
                  Group.GENERIC,
                  "key newkey",
                  onlyIfAbsent
                      ? "Gives an entry another key that does not exist."
                      : "Gives an entry another key.")
              .with(Flag.WRITE)
              .keys(1, 2, 1);
      this.onlyIfAbsent = onlyIfAbsent;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      return client
          .map()
          .rename(request.argument(1), request.argument(2), onlyIfAbsent)
          .thenApply(this::render);
    }

    @Override
    public boolean isTransactional() {
      return true;
    }

    @Override
    public TransactionStep inTransaction(Client client, KeyMap map, Request request) {
      byte[] from = request.argument(1);
      byte[] to = request.argument(2);
      KeyCommand.Remove removal = new KeyCommand.Remove(from, false);
      return view -> {
        Outcome.Failure refusal = map.refusal(removal);
        if (refusal != null) {
          return Errors.of(refusal);
        }
        MoveOutcome outcome;
        try {
          outcome = view.copy(map, from, map, to, !onlyIfAbsent);
        } catch (EngineException e) {
          return Errors.of(e.failure());
        }
        if (outcome == MoveOutcome.DONE && !Arrays.equals(from, to)) {
          Outcome _ = view.execute(map, removal);
        }
        return render(outcome);
      };
    }

    private Reply render(MoveOutcome outcome) {
      return switch (outcome) {
        case NO_SUCH_KEY -> Errors.NO_SUCH_KEY;
        case DONE -> onlyIfAbsent ? Reply.Int.ONE : Reply.OK;
        case TARGET_EXISTS -> Reply.Int.ZERO;
      };
    }
  }

  private static final class Copy implements SpaceCommand {
    private static final Reply.ErrorLine SAME =
        Reply.error("ERR source and destination objects are the same");

    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "copy",
                -3,
                Group.GENERIC,
                "source destination [DB destination-db] [REPLACE]",
                "Copies an entry to another key, of this or another map.")
            .with(Flag.WRITE, Flag.DENYOOM)
            .keys(1, 2, 1)
            .since("6.2.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    /**
     * The options.
     *
     * @param target the map of the copy; null for that of the entry
     * @param mustExist whether the map has to exist
     */
    private record Options(@Nullable QualifiedName target, boolean mustExist, boolean replace) {}

    private static Options options(Client client, Request request) {
      QualifiedName target = null;
      boolean replace = false;
      boolean mustExist = false;
      for (int i = 3; i < request.count(); i++) {
        if (request.is(i, "REPLACE")) {
          replace = true;
        } else if (request.is(i, "DB") && i + 1 < request.count()) {
          target = Parsing.mapName(request.text(++i), client.identity().tenant());
          mustExist = Parsing.isMapWord(request.argument(i)) && !target.equals(client.mapName());
        } else {
          throw Parsing.syntaxError();
        }
      }
      return new Options(target, mustExist, replace);
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      Options options = options(client, request);
      QualifiedName target = options.target() == null ? client.mapName() : options.target();
      byte[] from = request.argument(1);
      byte[] to = request.argument(2);
      if (target.equals(client.mapName()) && Arrays.equals(from, to)) {
        throw new CommandException(SAME);
      }
      TenantSpace space = client.space();
      KeyMap source = client.map();
      KeyMap into = client.map(target);
      boolean replaces = options.replace();
      CompletionStage<MoveOutcome> copied =
          options.mustExist()
              ? space
                  .maps()
                  .thenCompose(
                      names ->
                          names.contains(into.name())
                              ? space.copy(source, from, into, to, replaces)
                              : CompletableFuture.failedFuture(
                                  new CommandException(Errors.NOT_AN_INTEGER)))
              : space.copy(source, from, into, to, replaces);
      return copied.thenApply(Copy::render);
    }

    private static Reply render(MoveOutcome outcome) {
      return outcome == MoveOutcome.DONE ? Reply.Int.ONE : Reply.Int.ZERO;
    }

    @Override
    public boolean isTransactional() {
      return true;
    }

    /** A map that is named need not exist: it is made if something is copied to it. */
    @Override
    public TransactionStep inTransaction(Client client, KeyMap map, Request request) {
      Options options = options(client, request);
      KeyMap into = options.target() == null ? map : client.map(options.target());
      byte[] from = request.argument(1);
      byte[] to = request.argument(2);
      if (into.name().equals(map.name()) && Arrays.equals(from, to)) {
        throw new CommandException(SAME);
      }
      return view -> {
        try {
          return render(view.copy(map, from, into, to, options.replace()));
        } catch (EngineException e) {
          return Errors.of(e.failure());
        }
      };
    }
  }

  private static final class Keys implements ListingCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("keys", 2, Group.GENERIC, "pattern", "Lists the keys that match a pattern.")
            .with(Flag.READONLY, Flag.DANGEROUS)
            .complexity("O(N) where N is the number of keys of the map");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public ListingPlan plan(Request request) {
      return ListingPlan.all(new GlobPattern(request.argument(1)));
    }
  }

  private static final class Scan implements ListingCommand {
    private static final int DEFAULT_COUNT = 10;
    private static final int MOST_COUNT = 10_000;

    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "scan",
                -2,
                Group.GENERIC,
                "cursor [MATCH pattern] [COUNT count] [TYPE type]",
                "Lists the keys of the map, some at a time.")
            .with(Flag.READONLY)
            .since("2.8.0")
            .complexity("O(1) for every call");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public ListingPlan plan(Request request) {
      long cursor = Parsing.cursor(request.latin(1));
      GlobPattern match = GlobPattern.ANY;
      long count = DEFAULT_COUNT;
      String type = null;
      for (int i = 2; i < request.count(); i += 2) {
        if (i + 1 == request.count()) {
          throw Parsing.syntaxError();
        }
        if (request.is(i, "COUNT")) {
          count = Parsing.integer(request, i + 1);
          if (count < 1) {
            throw Parsing.syntaxError();
          }
        } else if (request.is(i, "MATCH")) {
          match = new GlobPattern(request.argument(i + 1));
        } else if (request.is(i, "TYPE")) {
          type = request.latin(i + 1).toLowerCase(Locale.ROOT);
        } else {
          throw Parsing.syntaxError();
        }
      }
      return new ListingPlan(cursor, Math.min(count, MOST_COUNT), match, true, type);
    }
  }

  private static final class RandomKey implements SpaceCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("randomkey", 1, Group.GENERIC, "", "Returns a key chosen at random.")
            .with(Flag.READONLY);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      return client
          .map()
          .randomKey()
          .thenApply(key -> key.isPresent() ? new Reply.Bulk(key.get()) : Reply.Null.NULL);
    }
  }

  private static final class DbSize implements SpaceCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of("dbsize", 1, Group.SERVER, "", "Returns how many keys the map has.")
            .with(Flag.READONLY, Flag.FAST);

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      return client.map().size().thenApply(Reply::integer);
    }
  }

  private static final class Flush implements SpaceCommand {
    private final Descriptor descriptor;
    private final boolean allMaps;

    Flush(String name, boolean allMaps) {
      this.descriptor =
          Descriptor.of(
                  name,
                  -1,
                  Group.SERVER,
                  "[ASYNC|SYNC]",
                  allMaps ? "Removes every key of every map." : "Removes every key of the map.")
              .with(Flag.WRITE, Flag.DANGEROUS)
              .complexity("O(N) where N is the number of keys");
      this.allMaps = allMaps;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      boolean valid =
          request.count() == 1
              || (request.count() == 2 && (request.is(1, "ASYNC") || request.is(1, "SYNC")));
      if (!valid) {
        throw Parsing.syntaxError();
      }
      CompletionStage<Void> cleared = allMaps ? client.space().clear() : client.map().clear();
      return cleared.thenApply(nothing -> Reply.OK);
    }
  }

  /** Redis has none such, as it has no locks on keys. */
  private static final class Unlock implements SpaceCommand {
    private static final Descriptor DESCRIPTOR =
        Descriptor.of(
                "kvs.unlock",
                2,
                Group.GENERIC,
                "key",
                "Takes the lock off a key, whoever holds it.")
            .with(Flag.WRITE, Flag.DANGEROUS)
            .keys(1, 1, 1)
            .since("0.1.0");

    @Override
    public Descriptor descriptor() {
      return DESCRIPTOR;
    }

    @Override
    public CompletionStage<Reply> execute(Client client, Request request) {
      byte[] key = request.argument(1);
      return client
          .map()
          .forceUnlock(key)
          .thenApply(
              unlocked -> {
                if (unlocked) {
                  client.unlocked(key);
                }
                return unlocked ? Reply.Int.ONE : Reply.Int.ZERO;
              });
    }
  }
}
