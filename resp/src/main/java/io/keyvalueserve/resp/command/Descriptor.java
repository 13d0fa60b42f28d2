package io.keyvalueserve.resp.command;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.resp.protocol.Request;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a command without running it.
 *
 * @param name in lower case
 * @param container the name of the command whose subcommand it is; empty for most
 * @param arity how many arguments, the name included (and that of the container); at least so many
 *     if negative
 * @param flags what sort of command it is
 * @param group what it belongs to
 * @param firstKey the index of the first key, 0 if there is none
 * @param lastKey the index of the last key; -1 is the last argument
 * @param step from one key to the next
 * @param since the version of Redis that brought it, or of KeyValueServe where Redis has none such
 * @param complexity how its cost grows
 * @param usage its arguments, see {@link ArgumentSyntax}
 * @param summary what it does, in one sentence
 * @param measure as what it is charged; null if only its bytes are: it is about no key. Follows
 *     from the rest
 */
public record Descriptor(
    String name,
    String container,
    int arity,
    Set<Flag> flags,
    Group group,
    int firstKey,
    int lastKey,
    int step,
    String since,
    String complexity,
    String usage,
    String summary,
    @Nullable Measure measure) {
  /** The properties of a command. The names in lower case are Redis' own. */
  public enum Flag {
    READONLY,
    WRITE,
    DENYOOM,
    FAST,
    LOADING,
    STALE,
    NOSCRIPT,
    PUBSUB,
    NO_AUTH,
    ADMIN,
    DANGEROUS,
    SKIP_MONITOR,
    NO_MANDATORY_KEYS,
    /** Where its keys are, its arguments say: {@code numkeys} is the first, or the one behind. */
    MOVABLEKEYS
  }

  /** The group that a command belongs to. */
  public enum Group {
    STRING("string"),
    HASH("hash"),
    LIST("list"),
    SET("set"),
    SORTED_SET("sortedset"),
    BITMAP("bitmap"),
    HYPERLOGLOG("hyperloglog"),
    GEO("geo"),
    GENERIC("keyspace"),
    SCRIPTING("scripting"),
    CONNECTION("connection"),
    PUBSUB("pubsub"),
    TRANSACTIONS("transaction"),
    SERVER("admin");

    private final String category;

    /** Returns whether its commands are about collections. */
    public boolean isOfCollections() {
      return this == HASH || this == LIST || this == SET || this == SORTED_SET;
    }

    Group(String category) {
      this.category = category;
    }
  }

  public Descriptor {
    flags = Set.copyOf(flags);
    measure = measureOf(name, container, flags, group, firstKey);
  }

  private static @Nullable Measure measureOf(
      String name, String container, Set<Flag> flags, Group group, int firstKey) {
    if (!container.isEmpty() && firstKey == 0) {
      return null;
    }
    return switch (name) {
      case "del", "unlink", "getdel", "flushdb", "flushall" -> Measure.DELETES;
      case "keys", "scan", "dbsize", "randomkey" -> Measure.QUERIES;
      case "kvs.unlock" -> Measure.LOCKS;
      case "publish", "spublish" -> Measure.WRITES;
      default -> {
        if (firstKey == 0 && (group == Group.CONNECTION || group == Group.SERVER)) {
          yield null;
        }
        if (group == Group.SCRIPTING) {
          yield null; // what it carries out is charged
        }
        yield flags.contains(Flag.WRITE)
            ? Measure.WRITES
            : flags.contains(Flag.READONLY) ? Measure.READS : null;
      }
    };
  }

  /** A command of no keys. */
  static Descriptor of(String name, int arity, Group group, String usage, String summary) {
    return new Descriptor(
        name, "", arity, Set.of(), group, 0, 0, 0, "1.0.0", "O(1)", usage, summary, null);
  }

  Descriptor inside(String parent) {
    return new Descriptor(
        name,
        parent,
        arity,
        flags,
        group,
        firstKey,
        lastKey,
        step,
        since,
        complexity,
        usage,
        summary,
        null);
  }

  Descriptor with(Flag first, Flag... rest) {
    return new Descriptor(
        name,
        container,
        arity,
        EnumSet.of(first, rest),
        group,
        firstKey,
        lastKey,
        step,
        since,
        complexity,
        usage,
        summary,
        null);
  }

  Descriptor keys(int first, int last, int keyStep) {
    return new Descriptor(
        name,
        container,
        arity,
        flags,
        group,
        first,
        last,
        keyStep,
        since,
        complexity,
        usage,
        summary,
        null);
  }

  Descriptor since(String version) {
    return new Descriptor(
        name,
        container,
        arity,
        flags,
        group,
        firstKey,
        lastKey,
        step,
        version,
        complexity,
        usage,
        summary,
        null);
  }

  Descriptor complexity(String cost) {
    return new Descriptor(
        name, container, arity, flags, group, firstKey, lastKey, step, since, cost, usage, summary,
        null);
  }

  /**
   * Returns the operations that a request counts for: one for each key, and one if it has none. Of
   * {@link Flag#MOVABLEKEYS} each argument behind the number of keys counts. A script counts once:
   * what it carries out counts by itself.
   *
   * @param count of its arguments, the name included
   */
  public int operations(int count) {
    if (runsScript()) {
      return 1;
    }
    if (has(Flag.MOVABLEKEYS)) {
      return Math.max(1, count - 2);
    }
    if (firstKey == lastKey) {
      return 1;
    }
    int last = lastKey < 0 ? count + lastKey : lastKey;
    return Math.max(1, (last - firstKey) / step + 1);
  }

  /** Returns the keys of a request, as far as their places are always the same. */
  List<byte[]> keys(Request request) {
    if (firstKey == 0) {
      return List.of();
    }
    int last = lastKey < 0 ? request.count() + lastKey : lastKey;
    return Many.of((last - firstKey) / step + 1, i -> request.argument(firstKey + i * step));
  }

  /** The name with its container's, as errors and access rules have it: {@code client|id}. */
  public String fullName() {
    return container.isEmpty() ? name : container + "|" + name;
  }

  /** Returns whether a flag is set. */
  public boolean has(Flag flag) {
    return flags.contains(flag);
  }

  /** Returns whether a request may write: it does, or runs a script that may. */
  public boolean mayWrite() {
    return has(Flag.WRITE) || (runsScript() && !has(Flag.READONLY));
  }

  /** Returns whether a request runs a script. */
  public boolean runsScript() {
    return group == Group.SCRIPTING && has(Flag.MOVABLEKEYS);
  }

  /** Returns whether a request has as many arguments as the command takes. */
  public boolean accepts(Request request) {
    return accepts(request.count());
  }

  /** Returns whether the command takes so many arguments, the name included. */
  public boolean accepts(int count) {
    return arity >= 0 ? count == arity : count >= -arity;
  }

  /** Returns whether monitors are shown the command: those that administer are not, as in Redis. */
  public boolean isShownToMonitors() {
    return !CommandFacts.of(this).isAdministrative();
  }

  /** Returns whether the command is put into the slow log when it is slow. */
  public boolean isLoggedWhenSlow() {
    return !CommandFacts.of(this).has("skip_slowlog");
  }

  /** Returns whether the command's cost does not grow with the data. */
  public boolean isFast() {
    return CommandFacts.of(this).has("fast");
  }

  /** The access categories, each with an at sign. */
  List<String> categories() {
    List<String> categories = new java.util.ArrayList<>();
    if (has(Flag.READONLY)) {
      categories.add("@read");
    }
    if (has(Flag.WRITE)) {
      categories.add("@write");
    }
    boolean isGrouped =
        switch (group) {
          case SERVER -> has(Flag.ADMIN);
          case PUBSUB -> has(Flag.PUBSUB);
          default -> true;
        };
    if (isGrouped) {
      categories.add("@" + group.category);
    }
    if (has(Flag.DANGEROUS)) {
      categories.add("@dangerous");
    }
    categories.add(has(Flag.FAST) ? "@fast" : "@slow");
    return categories;
  }
}
