package io.keyvalueserve.resp.script;

import io.keyvalueserve.lua.CallContext;
import io.keyvalueserve.lua.Environment;
import io.keyvalueserve.lua.HostFunction;
import io.keyvalueserve.lua.LuaBoolean;
import io.keyvalueserve.lua.LuaError;
import io.keyvalueserve.lua.LuaNumber;
import io.keyvalueserve.lua.LuaString;
import io.keyvalueserve.lua.LuaTable;
import io.keyvalueserve.lua.LuaValue;
import io.keyvalueserve.resp.command.CommandTable;
import io.keyvalueserve.resp.protocol.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The table {@code redis} of scripts. The host of a run is its {@link ScriptRun}. */
final class RedisLibrary {
  private static final int STEPS_PER_CALL = 64;
  private static final int REPL_ALL = 3;
  private static final int LOG_LEVELS = 4;
  private static final int VERSION_SHIFT = 8;
  private static final LuaValue[] NOTHING = {};
  private static final LuaValue[] FALSE = {LuaBoolean.FALSE};
  private static final LuaValue[] TRUE = {LuaBoolean.TRUE};

  /** The environment of all runs. */
  static final Environment ENVIRONMENT = environment();

  private RedisLibrary() {}

  private static Environment environment() {
    Environment environment = new Environment();
    function(environment, "call", (context, arguments) -> call(context, arguments, true));
    function(environment, "pcall", (context, arguments) -> call(context, arguments, false));
    function(environment, "error_reply", RedisLibrary::errorReply);
    function(environment, "status_reply", RedisLibrary::statusReply);
    function(environment, "sha1hex", RedisLibrary::sha1Hex);
    function(environment, "log", RedisLibrary::log);
    function(environment, "setresp", RedisLibrary::setResp);
    function(environment, "set_repl", RedisLibrary::setRepl);
    function(environment, "replicate_commands", (context, arguments) -> TRUE);
    function(environment, "breakpoint", (context, arguments) -> FALSE);
    function(environment, "debug", (context, arguments) -> NOTHING);
    function(environment, "acl_check_cmd", RedisLibrary::aclCheckCommand);
    for (String level : new String[] {"DEBUG", "VERBOSE", "NOTICE", "WARNING"}) {
      environment.constant("redis", "LOG_" + level, logLevel(level));
    }
    environment.constant("redis", "REPL_NONE", 0);
    environment.constant("redis", "REPL_AOF", 1);
    environment.constant("redis", "REPL_SLAVE", 2);
    environment.constant("redis", "REPL_REPLICA", 2);
    environment.constant("redis", "REPL_ALL", REPL_ALL);
    environment.constant("redis", "REDIS_VERSION", CommandTable.REDIS_VERSION);
    environment.constant("redis", "REDIS_VERSION_NUM", versionNumber());
    return environment;
  }

  private static int logLevel(String name) {
    return switch (name) {
      case "DEBUG" -> 0;
      case "VERBOSE" -> 1;
      case "NOTICE" -> 2;
      default -> 3;
    };
  }

  /** Returns the version of Redis with a byte for each of its parts. */
  private static int versionNumber() {
    int number = 0;
    for (String part : CommandTable.REDIS_VERSION.split("\\.", -1)) {
      number = (number << VERSION_SHIFT) | Integer.parseInt(part);
    }
    return number;
  }

  private static void function(Environment environment, String name, HostFunction function) {
    environment.function("redis", name, function);
  }

  private static ScriptRun run(CallContext context) {
    return (ScriptRun) context.host();
  }

  // ---- commands

  private static LuaValue[] call(CallContext context, LuaValue[] arguments, boolean raises) {
    byte[][] words = arguments.length == 0 ? null : words(context, arguments);
    Reply reply =
        words != null
            ? run(context).call(words)
            : Reply.error(
                arguments.length == 0
                    ? "ERR Please specify at least one argument for this redis lib call"
                    : "ERR Lua redis lib command arguments must be strings or integers");
    if (raises && reply instanceof Reply.ErrorLine error) {
      throw context.errorTable(error.line());
    }
    LuaValue value = Conversion.toLua(context, reply, run(context).speaksResp3());
    if (reply instanceof Reply.ErrorLine && words != null && value instanceof LuaTable table) {
      table.set("ignore_error_stats_update", LuaBoolean.TRUE);
    }
    return new LuaValue[] {value};
  }

  /** Returns the arguments as bytes; null if one is neither a string nor a number. */
  private static byte @Nullable [][] words(CallContext context, LuaValue[] arguments) {
    byte[][] words = new byte[arguments.length][];
    long bytes = 0;
    for (int i = 0; i < arguments.length; i++) {
      byte[] word = context.bytes(arguments[i]);
      if (word == null) {
        return null;
      }
      words[i] = word;
      bytes += word.length;
    }
    context.budget().allocate(bytes);
    context.budget().step(STEPS_PER_CALL + arguments.length + (bytes >> 4));
    return words;
  }

  private static LuaValue[] aclCheckCommand(CallContext context, LuaValue[] arguments) {
    if (arguments.length == 0) {
      throw error(context, "Please specify at least one argument for this redis lib call");
    }
    byte[][] words = words(context, arguments);
    if (words == null) {
      throw error(context, "Lua redis lib command arguments must be strings or integers");
    }
    if (CommandTable.standard().find(words[0]) == null) {
      throw error(context, "Invalid command passed to redis.acl_check_cmd()");
    }
    return TRUE;
  }

  // ---- replies

  private static LuaValue[] errorReply(CallContext context, LuaValue[] arguments) {
    if (arguments.length != 1 || !(arguments[0] instanceof LuaString text)) {
      return field(context, "err", utf8("ERR wrong number or type of arguments"));
    }
    byte[] given = text.toBytes();
    int from = given.length > 0 && given[0] == '-' ? 1 : 0;
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    if (indexOfSpace(given) < 0) {
      line.writeBytes(utf8("ERR "));
    }
    line.write(given, from, given.length - from);
    return field(context, "err", line.toByteArray());
  }

  private static int indexOfSpace(byte[] text) {
    for (int i = 0; i < text.length; i++) {
      if (text[i] == ' ') {
        return i;
      }
    }
    return -1;
  }

  private static LuaValue[] statusReply(CallContext context, LuaValue[] arguments) {
    if (arguments.length != 1 || !(arguments[0] instanceof LuaString text)) {
      return field(context, "err", utf8("ERR wrong number or type of arguments"));
    }
    return field(context, "ok", text.toBytes());
  }

  private static LuaValue[] field(CallContext context, String name, byte[] text) {
    LuaTable table = context.table();
    table.set(name, context.lasting(text));
    return new LuaValue[] {table};
  }

  // ---- the rest

  private static LuaValue[] sha1Hex(CallContext context, LuaValue[] arguments) {
    if (arguments.length != 1) {
      throw error(context, "wrong number of arguments");
    }
    byte[] text = context.bytes(arguments[0]);
    byte[] hashed = text == null ? new byte[0] : text;
    context.budget().step(STEPS_PER_CALL + (hashed.length >> 2));
    return new LuaValue[] {context.string(ScriptCode.digestOf(hashed))};
  }

  /** Writes nothing: the log of a member is not for tenants. */
  private static LuaValue[] log(CallContext context, LuaValue[] arguments) {
    if (arguments.length < 2) {
      throw error(context, "redis.log() requires two arguments or more.");
    }
    if (!(arguments[0] instanceof LuaNumber level)) {
      throw error(context, "First argument must be a number (log level).");
    }
    if (level.value() < 0 || level.value() >= LOG_LEVELS) {
      throw error(context, "Invalid debug level.");
    }
    return NOTHING;
  }

  private static LuaValue[] setResp(CallContext context, LuaValue[] arguments) {
    if (arguments.length != 1) {
      throw error(context, "redis.setresp() requires one argument.");
    }
    if (!(arguments[0] instanceof LuaNumber version)
        || (version.value() != 2 && version.value() != 3)) {
      throw error(context, "RESP version must be 2 or 3.");
    }
    run(context).speakResp3(version.value() == 3);
    return NOTHING;
  }

  private static LuaValue[] setRepl(CallContext context, LuaValue[] arguments) {
    if (arguments.length != 1) {
      throw error(context, "redis.set_repl() requires two arguments.");
    }
    if (!(arguments[0] instanceof LuaNumber flags) || ((long) flags.value() & ~REPL_ALL) != 0) {
      throw error(
          context, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
    }
    return NOTHING;
  }

  private static LuaError error(CallContext context, String message) {
    return context.errorTable("ERR " + message);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
