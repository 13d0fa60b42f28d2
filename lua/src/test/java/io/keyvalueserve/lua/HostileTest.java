package io.keyvalueserve.lua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts that want more than they may have: each ends at a bound, and none can catch that. */
class HostileTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private static Budget small() {
    return new Budget(1_000_000, 8 << 20, LONG, 1000, 100);
  }

  private static String outcome(String source) {
    return assertTimeoutPreemptively(
        LONG, () -> Scripts.outcome(source, new Environment(), small()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while true do end",
        "pcall(function() while true do end end) return 'caught'",
        "while true do pcall(function() while true do end end) end",
        "repeat until false",
        "for i = 1, math.huge do end",
        "for i = 1, 2, 0 do end for i = 2, 1, 0 do end",
        "local function f() return f() end return f()",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k + 1] end"
            + " while true do pcall(function() return t[1] end) end",
        "local t = {} for i = 1, 90 do t = setmetatable({}, {__index = t}) end"
            + " while true do local x = t.x end",
        "xpcall(function() while true do end end, function() return 'caught' end) return 'out'",
        "coroutine.wrap(function() while true do end end)() return 'out'",
        "local co = coroutine.create(function() while true do coroutine.yield() end end)"
            + " while true do coroutine.resume(co) end",
        "return ('a'):rep(30):find(('.-'):rep(30) .. 'b')",
        "return ('a'):rep(30):find(('a?'):rep(30) .. ('a'):rep(30) .. 'b')",
        "return ('a'):rep(200):find(('.*'):rep(20) .. 'b')",
        "return ('x'):rep(100000):find(('x'):rep(50000) .. 'y', 1, true)",
        "return ('('):rep(100000):gsub('%b()', '')",
        "local s = ('a'):rep(10000) while true do s:gsub('a', function() end) end",
        "local s = ('a'):rep(10000) while true do s:gsub('.', '%0') end",
        "local s = ('a'):rep(1000) while true do local x = s == ('a'):rep(1000) end",
        "local t = {} for i = 1, 1000 do t[i] = i end while true do table.concat(t) end",
        "local t = {} for i = 1, 1000 do t[i] = i end"
            + " while true do table.sort(t, function(a, b) return a > b end) end",
        "local t = {} for i = 1, 3000 do t[i] = i end while true do table.insert(t, 1, 0) "
            + "table.remove(t, 1) end",
        "local t = {} for i = 1, 30000 do t[i] = i end for i = 1, 30000 do t[i] = nil end"
            + " while true do next(t) end",
        "local t = {} for i = 1, 1000 do t[i] = {i, x = i} end while true do cjson.encode(t) end",
        "local s = '[' .. ('1,'):rep(1000) .. '1]' while true do cjson.decode(s) end",
        "local s = cmsgpack.pack({1, 2, 3}, ('x'):rep(1000)) while true do cmsgpack.unpack(s) end",
        "local s = struct.pack('i4i4', 1, 2) while true do struct.unpack('i4i4', s) end",
        "while true do loadstring('return 1 + 1') end",
        "while true do string.format('%99.99f', 1 / 3) end",
        "while true do tostring(1 / 3) end",
        "local e = setmetatable({}, {__tostring = function() while true do end end})"
            + " pcall(error, e) return tostring(e)",
        "local t = setmetatable({}, {__concat = function() while true do end end}) return t .. t",
        "local t = setmetatable({}, {__eq = function() while true do end end})"
            + " return t == setmetatable({}, getmetatable(t))",
        "local function spin() while true do end end"
            + " table.sort({3, 2, 1}, function() spin() end)",
        "load(function() while true do end end)",
        "load(function() return ' ' end)",
        "return ('a'):gsub('a', function() while true do end end)",
        "return unpack({}, 1, 7000), (function() while true do local x = {unpack({}, 1, 7000)} end"
            + " end)()"
      })
  void endlessScriptRunsOutOfSteps(String source) {
    assertThat(outcome(source)).isEqualTo("BUDGET STEPS");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return ('x'):rep(1e9)",
        "return pcall(string.rep, 'x', 1e9)",
        "return ('x'):rep(2^31 - 1)",
        "local s = 'x' while true do s = s .. s end",
        "local s = 'x' while true do s = s:rep(2) end",
        "local t = {} while true do t[#t + 1] = {} end",
        "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end",
        "local t = {} local i = 0 while true do i = i + 1 t[i] = i end",
        "local t = {} local i = 0 while true do i = i + 1 t['k' .. i] = true end",
        "local t = {} while true do t = {t} end",
        "local t = {} while true do t = setmetatable({}, {__index = t}) end",
        "local f = function() end while true do local g = f f = function() return g end end",
        "local s = ('x'):rep(100000) return s:gsub('x', s)",
        "local s = ('x'):rep(100000) return s:gsub('', s)",
        "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1000) end"
            + " for i = 1, 1000 do t[1000 + i] = table.concat(t, '', 1, 1000) end",
        "local t = {} for i = 1, 100 do t[i] = '' end return table.concat(t, ('x'):rep(200000))",
        "return cjson.decode(('[]'):rep(1) .. '') and cjson.decode('['"
            + " .. ('[],'):rep(200000) .. '[]]')",
        "return cmsgpack.unpack('\\221\\0\\255\\255\\255' .. ('\\144'):rep(200000))",
        "local t = {} t.x = ('x'):rep(1000000) local u = {} for i = 1, 100 do u[i] = t end"
            + " return cjson.encode(u)",
        "local t = {} for i = 1, 100000 do t[i] = {} end table.sort(t, function() return false end)",
        "local t = {} while true do t[#t + 1] = function() return t end end",
        "local t = {} while true do t[#t + 1] = loadstring('return 1, 2, 3, 4, 5') end",
        "local s = ('a'):rep(1e6) local function f(...) return f(s .. select('#', ...), ...) end"
            + " return f()",
        "local function f(...) return select('#', ...) > 1e9 or f(1, 2, 3, 4, 5, 6, 7, 8, ...) end"
            + " return f()",
        "local t = setmetatable({}, {__mode = 'k'}) while true do t[{}] = true end"
      })
  void greedyScriptRunsOutOfMemory(String source) {
    Budget budget = new Budget(10_000_000, 8 << 20, LONG, 1000, 100);
    assertThat(Scripts.outcome(source, new Environment(), budget)).isEqualTo("BUDGET MEMORY");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local function f() return 1 + f() end return f()",
        "local function f() return 1 + f() end return pcall(f)",
        "local function f() f() f() end f()",
        "local f f = setmetatable({}, {__call = function(self) return 1 + self() end}) return f()"
      })
  void deepScriptRunsOutOfDepth(String source) {
    assertThat(outcome(source)).isEqualTo("BUDGET DEPTH");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while true do coroutine.create(function() end) end",
        "while true do coroutine.wrap(function() coroutine.yield() end)() end",
        "local t = {} while true do t[#t + 1] = coroutine.wrap(function() coroutine.yield() end)"
            + " t[#t]() end",
        "local function f() coroutine.wrap(f)() end f()",
        "local function f() return coroutine.resume(coroutine.create(f)) end return f()"
      })
  void stormOfCoroutinesEnds(String source) {
    assertThat(outcome(source)).isEqualTo("BUDGET COROUTINES");
  }

  /** Nesting through Java is bounded as in Lua, with an error that a script can catch. */
  @Test
  void nestingThroughJavaIsAnError() {
    assertThat(outcome("local function f() return pcall(f) end return f()"))
        .endsWith("C stack overflow");
    assertThat(
            outcome(
                "local t = setmetatable({}, {}) getmetatable(t).__index ="
                    + " function(t, k) return t[k + 1] end return t[1]"))
        .isEqualTo("ERROR user_script:1: C stack overflow");
    assertThat(
            outcome(
                "local e = {} e = setmetatable(e, {__tostring = function() return tostring(e) end})"
                    + " return tostring(e)"))
        .endsWith("C stack overflow");
    assertThat(outcome("local function f(s) return s:gsub('.', f) end return f('a')"))
        .endsWith("C stack overflow");
    assertThat(outcome("local function f(a, b) table.sort({1, 2, 3}, f) return a < b end f(1, 2)"))
        .endsWith("C stack overflow");
    assertThat(outcome("local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x"))
        .isEqualTo("ERROR user_script:1: loop in gettable");
    assertThat(outcome("local t = setmetatable({}, {}) getmetatable(t).__newindex = t t.x = 1"))
        .isEqualTo("ERROR user_script:1: loop in settable");
    assertThat(
            outcome(
                "return pcall(string.rep, 'x', -1), pcall(string.match, 'a',"
                    + " ('(.-)'):rep(33))"))
        .contains("too many captures");
    assertThat(outcome("return ('a'):rep(300):match(('a?'):rep(250))"))
        .contains("pattern too complex");
    assertThat(outcome("return cjson.decode(('['):rep(5000))")).contains("too many nested");
    assertThat(outcome("local t = {} for i = 1, 5000 do t = {t} end return cjson.encode(t)"))
        .contains("excessive nesting");
    assertThat(outcome("return cmsgpack.unpack(('\\145'):rep(5000))")).contains("Missing bytes");
    assertThat(outcome("cjson.decode_max_depth(1e9) return cjson.decode(('['):rep(10000))"))
        .contains("Expected value but found T_END at character 10001");
    assertThat(
            outcome(
                "cjson.encode_max_depth(1e9) local t = {} for i = 1, 10000 do t = {t} end"
                    + " return #cjson.encode(t)"))
        .isEqualTo("20002");
  }

  @Test
  void nestedSourceIsAnErrorOfTheCompiler() {
    for (String[] part :
        new String[][] {
          {"(", ")"},
          {"{", "}"},
          {"- ", ""},
          {"not ", ""},
          {"2^", ""},
          {"''..", ""},
          {"f(", ")"},
          {"function() return ", " end"}
        }) {
      String source = "return " + part[0].repeat(20_000) + "1" + part[1].repeat(20_000);
      assertThat(outcome(source)).contains("chunk has too many syntax levels");
    }
    assertThat(outcome("do ".repeat(20_000))).contains("chunk has too many syntax levels");
    assertThat(outcome("while x do ".repeat(20_000))).contains("too many syntax levels");
    assertThat(outcome("if x then ".repeat(20_000))).contains("too many syntax levels");
    assertThat(outcome("a.b.".repeat(3) + "c,".repeat(20_000))).startsWith("SYNTAX");
  }

  /** Chains that a compiler goes along are as long as they like. */
  @Test
  void longChainsCompile() {
    int n = 20_000;
    assertThat(outcome("return 1" + " + 1".repeat(n))).isEqualTo("" + (n + 1));
    assertThat(outcome("return 1" + " - 1 * 1".repeat(n))).isEqualTo("" + (1 - n));
    assertThat(outcome("return true" + " and true".repeat(n))).isEqualTo("true");
    assertThat(outcome("return false" + " or false".repeat(n))).isEqualTo("false");
    assertThat(outcome("return true" + " and true or false".repeat(n))).isEqualTo("true");
    assertThat(outcome("local a = {} a.a = a return a" + ".a".repeat(n) + " == a"))
        .isEqualTo("true");
    assertThat(
            outcome(
                "local function f() return f end".replace("return f", "return nil")
                    + " return pcall(f"
                    + "()".repeat(n)
                    + ")"))
        .contains("attempt to call");
    assertThat(outcome("local s = 'x' return #(s" + ":lower()".repeat(n) + ")")).isEqualTo("1");
    assertThat(outcome("if nil then " + "elseif nil then ".repeat(n) + "end return 1"))
        .isEqualTo("1");
    assertThat(outcome("return #{" + "1,".repeat(n) + "}")).isEqualTo("" + n);
    assertThat(
            Scripts.outcome(
                "return #{" + "1,".repeat(600_000) + "}",
                new Environment(),
                new Budget(10_000_000, 1 << 27, LONG, 1000, 100)))
        .isEqualTo("600000");
    assertThat(outcome("return 1 == 1" + " == true".repeat(n))).isEqualTo("true");
    assertThat(outcome("local x = 0 " + "x = x + 1 ".repeat(n) + "return x")).isEqualTo("" + n);
  }

  /** Values that are garbage do not count: many times the bound passes through. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "local n = 0 for i = 1, 2000 do n = n + #(('x'):rep(30000) .. i) end return 1",
        "for i = 1, 20000 do local t = {i, {i}, x = {}} end return 1",
        "local s for i = 1, 300 do s = ('x'):rep(200000) end return 1",
        "for i = 1, 20000 do local f = function() return i end end return 1",
        "for i = 1, 300 do local t = {} for j = 1, 1000 do t[j] = j end end return 1",
        "local function f(n) local t = {n} if n > 0 then return f(n - 1) end end"
            + " for i = 1, 100 do f(500) end return 1",
        "local s = '[' .. ('[1,2],'):rep(1000) .. '1]'"
            + " for i = 1, 50 do local t = cjson.decode(s) end return 1",
        "local s = ('a,'):rep(1000) for i = 1, 100 do s:gsub('%a', function(x) return x .. i end)"
            + " end return 1",
        "local t = {} for i = 1, 300 do t[i % 3] = ('x'):rep(300000) end return 1",
        "for i = 1, 90 do local co = coroutine.wrap(function() local s = ('x'):rep(500000)"
            + " coroutine.yield() end) co() end return 1"
      })
  void garbageDoesNotCount(String source) {
    Budget budget = new Budget(10_000_000, 8 << 20, LONG, 1000, 100);
    assertThat(Scripts.outcome(source, new Environment(), budget)).isEqualTo("1");
  }

  @Test
  void timeEndsAScript() {
    Budget budget = new Budget(Long.MAX_VALUE, 8 << 20, Duration.ofMillis(50), 1000, 100);
    assertThat(
            Scripts.outcome(
                "while true do pcall(function() while true do end end) end",
                new Environment(),
                budget))
        .isEqualTo("BUDGET TIME");
  }

  @Test
  void anotherThreadEndsAScript() throws InterruptedException {
    Budget budget = new Budget(Long.MAX_VALUE, 8 << 20, LONG, 1000, 100);
    Environment environment =
        new Environment()
            .function(
                "redis",
                "started",
                (context, arguments) -> {
                  Thread.ofPlatform().start(budget::kill);
                  return new LuaValue[0];
                });
    assertThat(
            Scripts.outcome(
                "redis.started() while true do pcall(function() while true do end end) end",
                environment,
                budget))
        .isEqualTo("BUDGET KILLED");
  }

  /** Steps are exact: the same script takes the same number, and one less is not enough. */
  @Test
  void stepsAreExact() {
    String source =
        "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(i):gsub('x', 'yy') end return #t";
    Budget first = Scripts.plenty();
    assertThat(Scripts.outcome(source, new Environment(), first)).isEqualTo("1000");
    long needed = first.steps();
    Budget exact = new Budget(needed, 32 << 20, LONG, 1000, 100);
    assertThat(Scripts.outcome(source, new Environment(), exact)).isEqualTo("1000");
    assertThat(exact.steps()).isEqualTo(needed);
    Budget less = new Budget(needed - 1, 32 << 20, LONG, 1000, 100);
    assertThat(Scripts.outcome(source, new Environment(), less)).isEqualTo("BUDGET STEPS");
  }
}
