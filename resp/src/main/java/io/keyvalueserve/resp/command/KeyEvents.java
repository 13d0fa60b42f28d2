package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyMap.MoveOutcome;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.engine.collection.ListOperation;
import io.keyvalueserve.engine.collection.SetOperation;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notes what the commands of one run of a transaction do to keys, as events with the names that
 * Redis has for them. They become messages on the channels of the map's owner.
 */
final class KeyEvents implements TransactionView {
  private record Event(NoticeTarget target, byte[] key, int kind, String name, boolean isPush) {}

  private record Kind(int bit, String event) {}

  /** The event of each command that changes a value. Those of several events are in the code. */
  private static final Map<String, Kind> KINDS = new HashMap<>();

  /** Commands that remove their target if the result is empty. */
  private static final Set<String> STORES =
      Set.of(
          "sinterstore",
          "sunionstore",
          "sdiffstore",
          "zinterstore",
          "zunionstore",
          "zdiffstore",
          "zrangestore",
          "geosearchstore",
          "georadius",
          "georadiusbymember",
          "sort",
          "bitop");

  /** Commands that tell of a key also if its value stays as it was. */
  private static final Set<String> ALWAYS = Set.of("ltrim", "append", "lset");

  static {
    all(NotifyFlags.STRING, "set", "set", "setex", "psetex", "setnx", "getset", "mset", "msetnx");
    all(NotifyFlags.STRING, "set", "bitop");
    all(NotifyFlags.STRING, "incrby", "incr", "decr", "incrby", "decrby");
    all(NotifyFlags.STRING, "setbit", "setbit", "bitfield");
    all(NotifyFlags.STRING, "pfadd", "pfadd", "pfmerge");
    each(NotifyFlags.STRING, "append", "setrange", "incrbyfloat");
    each(NotifyFlags.GENERIC, "restore");
    all(NotifyFlags.HASH, "hset", "hset", "hmset", "hsetnx", "hsetex");
    all(NotifyFlags.HASH, "hdel", "hdel", "hgetdel");
    all(NotifyFlags.HASH, "hexpire", "hexpire", "hpexpire", "hexpireat", "hpexpireat", "hgetex");
    each(NotifyFlags.HASH, "hincrby", "hincrbyfloat", "hpersist");
    each(NotifyFlags.LIST, "linsert", "lset", "lrem", "ltrim");
    all(NotifyFlags.LIST, "sortstore", "sort");
    each(NotifyFlags.SET, "sadd", "srem", "spop", "sinterstore", "sunionstore", "sdiffstore");
    each(NotifyFlags.SORTED_SET, "zadd", "zrem", "zinterstore", "zunionstore", "zdiffstore");
    each(NotifyFlags.SORTED_SET, "zremrangebyrank", "zremrangebyscore", "zremrangebylex");
    each(NotifyFlags.SORTED_SET, "zrangestore", "geosearchstore");
    all(NotifyFlags.SORTED_SET, "georadiusstore", "georadius", "georadiusbymember");
    all(NotifyFlags.SORTED_SET, "zincr", "zincrby");
    all(NotifyFlags.SORTED_SET, "zadd", "geoadd");
    all(NotifyFlags.SORTED_SET, "zpopmin", "zpopmin", "bzpopmin");
    all(NotifyFlags.SORTED_SET, "zpopmax", "zpopmax", "bzpopmax");
  }

  private static void all(int bit, String event, String... commands) {
    for (String command : commands) {
      KINDS.put(command, new Kind(bit, event));
    }
  }

  private static void each(int bit, String... commands) {
    for (String command : commands) {
      KINDS.put(command, new Kind(bit, command));
    }
  }

  private final TransactionView view;
  private final Client client;
  private final List<OutgoingMessage> messages;
  private final Map<String, NoticeTarget> targets = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private String command = "";
  private @Nullable Request request;

  private KeyEvents(TransactionView view, Client client, List<OutgoingMessage> messages) {
    this.view = view;
    this.client = client;
    this.messages = messages;
  }

  /**
   * Returns a view that notes events, for one run.
   *
   * @param messages gets the messages, as the commands end
   */
  static KeyEvents over(TransactionView view, Client client, List<OutgoingMessage> messages) {
    return new KeyEvents(view, client, messages);
  }

  /** A command begins. */
  void begin(Command begun, Request its) {
    command = begun.descriptor().name();
    request = its;
    events.clear();
  }

  /** The command has ended: its events become messages. */
  void end() {
    if (command.endsWith("lmove") || command.endsWith("rpoplpush")) {
      events.sort((left, right) -> Boolean.compare(right.isPush(), left.isPush()));
    } else if (command.equals("smove")) {
      events.sort((left, right) -> Boolean.compare(left.isPush(), right.isPush()));
    }
    for (Event event : events) {
      messages.addAll(Noting.messages(event.target(), event.key(), event.kind(), event.name()));
    }
    events.clear();
  }

  // ---- what happens

  private void add(KeyMap map, byte[] key, int kind, String name) {
    add(map, key, kind, name, false);
  }

  private void add(KeyMap map, byte[] key, int kind, String name, boolean isPush) {
    NoticeTarget target = targets.computeIfAbsent(map.name(), client::noticeTarget);
    if (target.flags() != 0) {
      events.add(new Event(target, key, kind, name, isPush));
    }
  }

  @Override
  public Outcome execute(KeyMap map, KeyCommand keyCommand) {
    Outcome outcome = view.execute(map, keyCommand);
    if (keyCommand.writes()
        && !(outcome instanceof Outcome.Failure || outcome instanceof Outcome.Rejected)) {
      note(map, keyCommand, view.lastChange());
    }
    return outcome;
  }

  private void note(KeyMap map, KeyCommand keyCommand, Change change) {
    byte[] key = keyCommand.key();
    switch (change.effect()) {
      case REMOVE -> removed(map, keyCommand, change);
      case SET_EXPIRY -> expiryChanged(map, keyCommand);
      case PUT -> {
        if (!change.existed() || command.equals("restore")) {
          add(map, key, NotifyFlags.NEW, "new", true);
        }
        put(map, keyCommand);
      }
      case NOTHING, ACCESS -> {
        if (change.existed() && ALWAYS.contains(command)) {
          put(map, keyCommand);
        } else if (change.existed()
            && keyCommand instanceof KeyCommand.ReadAndExpire expire
            && expire.expireAtMillis() > Expiry.NONE) {
          expiryChanged(map, keyCommand); // it has the same expiry as before
        }
      }
    }
  }

  private void removed(KeyMap map, KeyCommand keyCommand, Change change) {
    byte[] key = keyCommand.key();
    if (!change.existed() || command.startsWith("rename") || command.equals("move")) {
      return; // such a command tells more of it
    }
    if (keyCommand instanceof KeyCommand.OnCollection && !STORES.contains(command)) {
      put(map, keyCommand);
    }
    add(map, key, NotifyFlags.GENERIC, "del");
  }

  private void expiryChanged(KeyMap map, KeyCommand keyCommand) {
    boolean persists =
        switch (keyCommand) {
          case KeyCommand.Expire expire -> expire.expireAtMillis() == Expiry.NONE;
          case KeyCommand.ReadAndExpire expire -> expire.expireAtMillis() == Expiry.NONE;
          default -> false;
        };
    add(map, keyCommand.key(), NotifyFlags.GENERIC, persists ? "persist" : "expire");
  }

  private void put(KeyMap map, KeyCommand keyCommand) {
    byte[] key = keyCommand.key();
    if (keyCommand instanceof KeyCommand.OnCollection on && ofOperation(map, on)) {
      return;
    }
    Kind kind = command.equals("zmpop") || command.equals("bzmpop") ? popped() : KINDS.get(command);
    if (kind == null) {
      return;
    }
    boolean increments = command.equals("zadd") && hasWord("incr");
    add(map, key, kind.bit(), increments ? "zincr" : kind.event());
    if (kind.event().equals("set")
        && keyCommand instanceof KeyCommand.Write write
        && write.expireAtMillis() > Expiry.NONE) {
      add(map, key, NotifyFlags.GENERIC, "expire");
    }
  }

  /** Notes an operation whose event does not depend on the command. */
  private boolean ofOperation(KeyMap map, KeyCommand.OnCollection on) {
    byte[] key = on.key();
    switch (on.operation()) {
      case ListOperation.PUSH_FIRST, ListOperation.PUSH_FIRST_IF_PRESENT ->
          add(map, key, NotifyFlags.LIST, "lpush", true);
      case ListOperation.PUSH_LAST, ListOperation.PUSH_LAST_IF_PRESENT ->
          add(map, key, NotifyFlags.LIST, "rpush", true);
      case ListOperation.POP_FIRST, ListOperation.POP_FIRST_MANY ->
          add(map, key, NotifyFlags.LIST, "lpop");
      case ListOperation.POP_LAST, ListOperation.POP_LAST_MANY ->
          add(map, key, NotifyFlags.LIST, "rpop");
      case ListOperation.ROTATE -> {
        boolean isNamed = command.endsWith("lmove");
        add(
            map,
            key,
            NotifyFlags.LIST,
            isNamed && isLeft(4) ? "lpush" : isNamed ? "rpush" : "lpush");
        add(map, key, NotifyFlags.LIST, isNamed && isLeft(3) ? "lpop" : "rpop");
      }
      case SetOperation.ADD -> add(map, key, NotifyFlags.SET, "sadd", true);
      case SetOperation.REMOVE -> add(map, key, NotifyFlags.SET, "srem");
      default -> {
        return false;
      }
    }
    return true;
  }

  private Kind popped() {
    return new Kind(NotifyFlags.SORTED_SET, hasWord("min") ? "zpopmin" : "zpopmax");
  }

  private boolean isLeft(int index) {
    Request its = request;
    return its != null && its.latin(index).equalsIgnoreCase("left");
  }

  private boolean hasWord(String word) {
    Request its = request;
    if (its == null) {
      return false;
    }
    for (int i = 2; i < its.count(); i++) {
      if (its.latin(i).toLowerCase(Locale.ROOT).equals(word)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public MoveOutcome copy(KeyMap source, byte[] from, KeyMap target, byte[] to, boolean replace) {
    MoveOutcome outcome = view.copy(source, from, target, to, replace);
    boolean isItself = source.name().equals(target.name()) && Arrays.equals(from, to);
    if (outcome == MoveOutcome.DONE && !isItself) {
      add(target, to, NotifyFlags.NEW, "new"); // also if it replaces an entry
      if (command.startsWith("rename")) {
        add(source, from, NotifyFlags.GENERIC, "rename_from");
        add(target, to, NotifyFlags.GENERIC, "rename_to");
      } else if (command.equals("move")) {
        add(source, from, NotifyFlags.GENERIC, "move_from");
        add(target, to, NotifyFlags.GENERIC, "move_to");
      } else {
        add(target, to, NotifyFlags.GENERIC, "copy_to");
      }
    }
    return outcome;
  }

  @Override
  public void need(KeyMap map, List<byte[]> keys) {
    view.need(map, keys);
  }

  @Override
  public Change lastChange() {
    return view.lastChange();
  }

  @Override
  public long nowMillis() {
    return view.nowMillis();
  }

  @Override
  public long deadlineNanos() {
    return view.deadlineNanos();
  }
}
