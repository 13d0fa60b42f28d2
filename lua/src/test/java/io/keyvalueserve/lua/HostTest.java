package io.keyvalueserve.lua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What a host gives to scripts and gets from them. */
class HostTest {
  private static byte[] utf8(String s) {
    return s.getBytes(StandardCharsets.UTF_8);
  }

  private static String run(String source, Environment environment) {
    return Scripts.outcome(source, environment, Scripts.plenty());
  }

  @Test
  void keysAndArgumentsAreTables() {
    Environment environment =
        new Environment()
            .keys(List.of(utf8("k1"), utf8("k2")))
            .arguments(List.of(utf8("a"), new byte[] {0, (byte) 0xFF}));
    assertThat(run("return #KEYS, KEYS[1], KEYS[2], ARGV[1], ARGV[2]:byte(1, -1)", environment))
        .isEqualTo("2|k1|k2|a|0|255");
  }

  @Test
  void functionsOfTheHostGetAndReturnValues() {
    List<String> calls = new ArrayList<>();
    Environment environment =
        new Environment()
            .function(
                "redis",
                "call",
                (context, arguments) -> {
                  StringBuilder call = new StringBuilder();
                  for (LuaValue v : arguments) {
                    byte[] bytes = context.bytes(v);
                    call.append(bytes == null ? "?" : Scripts.show(context.string(bytes)));
                    call.append(' ');
                  }
                  calls.add(call.toString().strip());
                  LuaTable reply = context.table();
                  reply.set("ok", context.string("OK"));
                  reply.set(1, LuaNumber.of(7));
                  return new LuaValue[] {reply, context.string("second")};
                })
            .constant("redis", "LOG_NOTICE", 2)
            .constant("redis", "VERSION", "7");
    assertThat(
            run(
                "local r, s = redis.call('SET', 'k', 1.5, 10, {}) return r.ok, r[1], s,"
                    + " redis.LOG_NOTICE, redis.VERSION",
                environment))
        .isEqualTo("OK|7|second|2|7");
    assertThat(calls).containsExactly("SET k 1.5 10 ?");
    assertThat(run("redis.x = 1", environment))
        .isEqualTo("ERROR user_script:1: Attempt to modify a readonly table");
  }

  @Test
  void errorsOfTheHostCanBeCaughtWithTheirValue() {
    Environment environment =
        new Environment()
            .function(
                "redis",
                "call",
                (context, arguments) -> {
                  throw context.errorTable("WRONGTYPE no");
                })
            .function(
                "redis",
                "fail",
                (context, arguments) -> {
                  throw context.error("failed");
                });
    assertThat(run("local ok, e = pcall(redis.call) return ok, type(e), e", environment))
        .isEqualTo("false|string|WRONGTYPE no");
    assertThat(run("\nredis.fail()", environment)).isEqualTo("ERROR user_script:2: failed");
    Script script = Scripts.compile("local x = 1\nreturn redis.call()");
    assertThatThrownBy(() -> script.run(environment, Scripts.plenty()))
        .asInstanceOf(InstanceOfAssertFactories.type(LuaError.class))
        .satisfies(
            e -> {
              assertThat(e.value()).isInstanceOf(LuaTable.class);
              assertThat(e.getMessage()).isEqualTo("WRONGTYPE no");
              assertThat(e.line()).isEqualTo(2);
              assertThat(e.chunk()).isEqualTo("user_script");
              assertThat(e.getStackTrace()).isEmpty();
            });
  }

  @Test
  void hostReadsTables() {
    LuaTable table =
        (LuaTable) Scripts.run("return {10, 20, err = 'e', [true] = false, {n = 1}}")[0];
    assertThat(table.length()).isEqualTo(3);
    assertThat(table.get(2)).hasToString("20");
    assertThat(table.get("err")).hasToString("e");
    assertThat(table.get("none").isNil()).isTrue();
    List<String> all = new ArrayList<>();
    table.forEach((key, value) -> all.add(key + "=" + value.typeName()));
    assertThat(all)
        .containsExactlyInAnyOrder("1=number", "2=number", "3=table", "err=string", "true=boolean");
  }

  @Test
  void scriptCanRaiseATable() {
    Script script = Scripts.compile("\n\nerror({err = 'MY error'})");
    assertThatThrownBy(() -> script.run(new Environment(), Scripts.plenty()))
        .asInstanceOf(InstanceOfAssertFactories.type(LuaError.class))
        .satisfies(
            e -> {
              assertThat(e.getMessage()).isEqualTo("MY error");
              assertThat(e.line()).isEqualTo(3);
            });
  }

  @Test
  void errorHasTheLineOfTheInnermostFunction() {
    Script script =
        Scripts.compile("local function f(x)\n  return x.y\nend\nlocal a = f({})\nreturn f(nil)");
    assertThatThrownBy(() -> script.run(new Environment(), Scripts.plenty()))
        .isInstanceOf(LuaError.class)
        .hasMessage("user_script:2: attempt to index local 'x' (a nil value)")
        .extracting(e -> ((LuaError) e).line())
        .isEqualTo(2);
  }

  @Test
  void whatTheHostMakesIsCharged() {
    Environment environment =
        new Environment()
            .function(
                "redis",
                "big",
                (context, arguments) -> new LuaValue[] {context.string(new byte[1 << 20])});
    assertThat(run("local s for i = 1, 100 do s = redis.big() end return #s", environment))
        .isEqualTo("1048576");
    assertThat(run("local t = {} while true do t[#t + 1] = redis.big() end", environment))
        .isEqualTo("BUDGET MEMORY");
  }

  @Test
  void nothingIsLeftOfARun() {
    Script script =
        Scripts.compile(
            "local before = KEYS.x or 'none' KEYS.x = 1 cjson.encode_max_depth(5)"
                + " local m = getmetatable('').__index.y"
                + " return before, math.random(1000), cjson.encode_number_precision(3)");
    Environment environment = new Environment().keys(List.of(utf8("k")));
    String first = "";
    for (int i = 0; i < 3; i++) {
      LuaValue[] values = script.run(environment, Scripts.plenty());
      String now = Scripts.show(values[0]) + Scripts.show(values[1]);
      if (i > 0) {
        assertThat(now).isEqualTo(first);
      }
      first = now;
    }
    assertThat(run("return cjson.encode_max_depth(), cjson.encode_number_precision()", environment))
        .isEqualTo("1000|14");
  }

  @Test
  void nothingOfThisMachineIsInReach() {
    for (String name :
        List.of(
            "io",
            "debug",
            "package",
            "require",
            "dofile",
            "loadfile",
            "module",
            "print",
            "setfenv",
            "getfenv",
            "newproxy",
            "luajava",
            "java")) {
      assertThat(Scripts.outcome("return rawget(_G, '" + name + "')")).isEqualTo("nil");
    }
    assertThat(Scripts.outcome("local t = {} for k in pairs(os) do t[#t + 1] = k end return #t"))
        .isEqualTo("1");
    assertThat(Scripts.outcome("return type(os.clock()), string.dump")).isEqualTo("number|nil");
    assertThat(Scripts.outcome("return loadstring('\\27Lua')")).startsWith("nil|");
  }

  /** Libraries are shared by all runs, so every table in reach of two runs is read-only. */
  @Test
  void everySharedTableIsReadOnly() {
    assertThat(
            Scripts.outcome(
                "local seen, n = {}, 0 local function walk(t) if seen[t] or t == KEYS or t == ARGV"
                    + " then return end seen[t] = true n = n + 1"
                    + " assert(not pcall(rawset, t, 'x', 1))"
                    + " assert(not pcall(setmetatable, t, {}))"
                    + " assert(not pcall(table.insert, t, 1))"
                    + " for k, v in pairs(t) do if type(v) == 'table' then walk(v) end end"
                    + " local m = getmetatable(t) if m then walk(m) end end"
                    + " walk(_G) walk(getmetatable('')) return n"))
        .isEqualTo("12");
  }

  @Test
  void oneScriptRunsOnManyThreads() throws InterruptedException, ExecutionException {
    Script script =
        Scripts.compile(
            "local n = tonumber(ARGV[1]) local t = {} for i = 1, 200 do t[i] = n .. ':' .. i end"
                + " local co = coroutine.wrap(function() for _, v in ipairs(t) do"
                + " coroutine.yield(v) end end) local last for i = 1, 200 do last = co() end"
                + " return last .. ' ' .. cjson.encode({a = n}) .. ('x'):rep(2)");
    List<Future<String>> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 200; i++) {
        Environment environment = new Environment().arguments(List.of(utf8("" + i)));
        results.add(
            threads.submit(() -> Scripts.show(script.run(environment, Scripts.plenty())[0])));
      }
    }
    for (int i = 0; i < results.size(); i++) {
      assertThat(results.get(i).get()).isEqualTo(i + ":200 {\"a\":" + i + "}xx");
    }
  }

  @Test
  void sourceThatIsNotLuaIsRefused() {
    assertThatThrownBy(() -> Lua.compile(utf8("return return"), "@user_script"))
        .isInstanceOf(LuaSyntaxError.class)
        .hasMessage("user_script:1: unexpected symbol near 'return'");
  }

  /** However calls and data are nested, a run fits on the usual stack of a thread. */
  @Test
  void deepestNestingFitsOnTheStack() throws InterruptedException {
    List<String> outcomes = new ArrayList<>();
    Runnable all =
        () -> {
          for (String deepest :
              List.of(
                  "('a'):rep(190):match(('a?'):rep(190)):len()",
                  "type(cjson.decode(('['):rep(990) .. (']'):rep(990)))",
                  "#cjson.encode(cjson.decode(('['):rep(990) .. (']'):rep(990)))",
                  "type(cmsgpack.unpack(('\\145'):rep(990) .. '\\1'))",
                  "loadstring('return ' .. ('('):rep(190) .. '1' .. (')'):rep(190))()",
                  "type(loadstring('return ' .. ('{'):rep(190) .. '1' .. ('}'):rep(190)))",
                  "#tostring(setmetatable({}, {__tostring = function() return 'x' end}))")) {
            outcomes.add(
                Scripts.outcome(
                    "local function f(n) if n == 0 then return "
                        + deepest
                        + " end return (select(2, pcall(f, n - 1))) end"
                        + " local r for i = 1, 20 do r = f(190) end return r"));
          }
          outcomes.add(
              Scripts.outcome(
                  "return #cjson.encode(cjson.decode(('['):rep(990) .. (']'):rep(990)))"));
        };
    Thread thread = new Thread(null, all, "usual stack", 1 << 20);
    thread.start();
    thread.join();
    assertThat(outcomes)
        .containsExactly("190", "table", "1980", "table", "1", "function", "1", "1980");
  }

  @Test
  void textsOfErrorsAreTheBytesOfTheScript() {
    assertThat(Scripts.outcome("error('\\255\\0x', 0)")).isEqualTo("ERROR \u00ff\0x");
    assertThat(Scripts.outcome("assert(false, '\\255')")).isEqualTo("ERROR user_script:1: \u00ff");
    assertThat(Scripts.outcome("return loadstring('\u00ff = ')")).contains("near '\u00ff'");
    assertThatThrownBy(() -> Lua.compile(utf8("x = é"), "@schlüssel"))
        .hasMessageStartingWith("schlüssel:1: ");
  }
}
