package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.resp.script.ScriptLimits;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts: their bounds, whose they are, and those that well-known libraries send. */
class ScriptTest {
  private static final Duration TIME = Duration.ofSeconds(2);
  private static final long SLACK_MILLIS = 100;
  private static final String ENDLESS = "while true do end";

  /** Each tenant has an engine of its own, so that none waits for the lock of another's. */
  private final Map<TenantName, Engine> engines = new ConcurrentHashMap<>();

  private TestMember member;
  private WireClient client;

  @BeforeEach
  void start() throws IOException {
    ScriptLimits limits = new ScriptLimits(3_000_000, 4 << 20, TIME, 64 << 10);
    member =
        TestMember.start(
            identity ->
                engines
                    .computeIfAbsent(
                        identity.tenant(), any -> new MapEngine(InstantSource.system()))
                    .space(identity),
            config -> config.withEventLoops(1).withScripts(limits));
    client = member.connect("acme");
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    member.close();
  }

  private String eval(String script, String... rest) throws IOException {
    String[] request = new String[2 + Math.max(1, rest.length)];
    request[0] = "EVAL";
    request[1] = script;
    request[2] = "0";
    System.arraycopy(rest, 0, request, 2, rest.length);
    return client.call(request);
  }

  // ---- bounds

  @ParameterizedTest
  @ValueSource(
      strings = {
        ENDLESS,
        "while true do pcall(function() while true do end end) end",
        "local function f() return f() end return f()",
        "local function f() return 1 + f() end return f()",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = string.rep('x', 1000) end",
        "local t = {} for i = 1, 1e9 do t[i] = {} end",
        "return string.rep('x', 1e9)",
        "while true do coroutine.wrap(function() coroutine.yield() end)() end",
        "local function f() return coroutine.wrap(f)() end return f()",
        "return string.find(string.rep('a', 30000), string.rep('a*', 30) .. 'b')",
        "while true do pcall(redis.call, 'GET', 'x') end",
        "while true do redis.pcall('NOPE') end",
        "redis.call('SET', 'done', 'half') while true do redis.call('INCR', 'n') end",
        "local t = {} for i = 1, 40 do t = {t, t} end return t",
        "local s = string.rep('x', 100000) local t = {} for i = 1, 9000 do t[i] = s end return t",
        "return cjson.decode(string.rep('[', 100000))",
        "local t = {} for i = 1, 1e9 do table.insert(t, 1, i) end",
        "return loadstring(string.rep('x = 1 ', 1e7))",
        "error(setmetatable({}, {__tostring = function() while true do end end}))",
        "return xpcall(function() error('x') end, function() while true do end end)"
      })
  void hostileScriptEndsInTimeWhileOthersAreServed(String script) throws Exception {
    try (WireClient other = member.connect("globex")) {
      long begun = System.nanoTime();
      client.send(WireClient.request("EVAL", script, "0"));
      int served = 0;
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return client.reply();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      long longest = 0;
      while (!answer.isDone() || served < 10) {
        long from = System.nanoTime();
        assertThat(other.call("INCR", "others")).startsWith(":");
        longest = Math.max(longest, System.nanoTime() - from);
        served++;
      }
      String reply = answer.join();
      assertThat(reply).startsWith("-");
      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .isLessThan(TIME.plusMillis(SLACK_MILLIS));
      assertThat(Duration.ofNanos(longest)).isLessThan(TIME.dividedBy(2));
    }
    assertThat(client.call("GET", "done")).isEqualTo("$-1\r\n");
    assertThat(client.call("GET", "n")).isEqualTo("$-1\r\n");
  }

  @Test
  void errorsNameTheBoundAndTheSetting() throws IOException {
    assertThat(eval(ENDLESS))
        .startsWith("-ERR the script takes more than 3000000 steps")
        .contains("scripts.max-steps", "nothing was changed");
    assertThat(eval("local s = 'x' while true do s = s .. s end"))
        .startsWith("-ERR the script takes more than 4194304 bytes of memory")
        .contains("scripts.max-memory");
    assertThat(eval("--" + "x".repeat(70_000))).contains("70002", "65536", "scripts.max-source");
  }

  @Test
  void randomNumbersDifferFromScriptToScript() throws IOException {
    String script = "return {math.random(1000000), math.random(1000000)}";
    String first = eval(script);
    String second = eval(script);
    assertThat(second).isNotEqualTo(first);
  }

  @Test
  void aScriptThatIsRunAnewHasTheSameRandomNumbers() throws IOException {
    String script =
        "local sum = 0 for i = 1, 5 do sum = sum + redis.call('INCR', 'random:' .."
            + " math.random(1000000000)) end return sum";
    assertThat(eval(script)).isEqualTo(":5\r\n");
    assertThat(client.call("DBSIZE")).isEqualTo(":5\r\n");
  }

  @Test
  void longScriptIsCarriedOutOnce() throws IOException {
    assertThat(
            eval(
                "redis.call('INCR', KEYS[1]) local n = 0 for i = 1, 900000 do n = n + i end"
                    + " return redis.call('INCR', KEYS[1])",
                "1",
                "counter"))
        .isEqualTo(":2\r\n");
    assertThat(client.call("GET", "counter")).isEqualTo("$1\r\n2\r\n");
  }

  @Test
  void scriptsOfOthersDoNotWaitForAnEndlessOne() throws Exception {
    try (WireClient second = member.connect("acme");
        WireClient other = member.connect("globex")) {
      second.send(WireClient.request("EVAL", "while true do redis.pcall('NOPE') end", "0"));
      assertThat(other.call("EVAL", "local n = 0 for i = 1, 500000 do n = n + 1 end return n", "0"))
          .isEqualTo(":500000\r\n");
      assertThat(second.reply()).startsWith("-ERR the script");
    }
  }

  @Test
  void killEndsTheTenantsOwnScript() throws Exception {
    try (WireClient busy = member.connect("acme");
        WireClient other = member.connect("globex")) {
      busy.send(
          WireClient.request(
              "EVAL", "redis.call('SET', 'k', 1) while true do redis.pcall('NOPE') end", "0"));
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                assertThat(other.call("SCRIPT", "KILL")).startsWith("-NOTBUSY");
                return client.call("SCRIPT", "KILL").equals("+OK\r\n");
              });
      assertThat(busy.reply()).startsWith("-ERR Script killed by user with SCRIPT KILL");
      assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
      await().until(() -> client.call("SCRIPT", "KILL").startsWith("-NOTBUSY"));
    }
  }

  @Test
  void scriptInABlockHoldsUpNobodyAndCanBeKilled() throws Exception {
    try (WireClient busy = member.connect("acme");
        WireClient other = member.connect("globex")) {
      busy.call("MULTI");
      busy.call("SET", "k", "1");
      busy.call("EVAL", "while true do redis.pcall('NOPE') end", "0");
      busy.send(WireClient.request("EXEC"));
      await()
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                assertThat(other.call("INCR", "others")).startsWith(":");
                return client.call("SCRIPT", "KILL").equals("+OK\r\n");
              });
      assertThat(busy.reply()).startsWith("-ERR Script killed by user with SCRIPT KILL");
      assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
      assertThat(client.call("SCRIPT", "KILL")).startsWith("-NOTBUSY");
    }
  }

  // ---- whose they are

  @Test
  void scriptsOfTenantsAreApart() throws IOException {
    String digest = digest(client.call("SCRIPT", "LOAD", "return 'mine'"));
    assertThat(client.call("EVALSHA", digest, "0")).isEqualTo("$4\r\nmine\r\n");
    try (WireClient other = member.connect("globex")) {
      assertThat(other.call("SCRIPT", "EXISTS", digest)).isEqualTo("*1\r\n:0\r\n");
      assertThat(other.call("EVALSHA", digest, "0")).startsWith("-NOSCRIPT");
      assertThat(other.call("SCRIPT", "SHOW", digest)).startsWith("-NOSCRIPT");
      assertThat(other.call("SCRIPT", "FLUSH")).isEqualTo("+OK\r\n");
      assertThat(other.call("EVAL", "return redis.call('SET', 'k', 'theirs')", "0"))
          .isEqualTo("+OK\r\n");
    }
    assertThat(client.call("SCRIPT", "EXISTS", digest)).isEqualTo("*1\r\n:1\r\n");
    assertThat(client.call("SCRIPT", "SHOW", digest)).isEqualTo("$13\r\nreturn 'mine'\r\n");
    assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
    assertThat(client.call("SCRIPT", "FLUSH")).isEqualTo("+OK\r\n");
    assertThat(client.call("EVALSHA", digest, "0")).startsWith("-NOSCRIPT");
  }

  @Test
  void loadedScriptsStayWhenTheCacheIsFull() throws IOException {
    String digest = digest(client.call("SCRIPT", "LOAD", "return 'kept'"));
    for (int i = 0; i < 600; i++) {
      assertThat(eval("return " + i)).isEqualTo(":" + i + "\r\n");
    }
    assertThat(client.call("EVALSHA", digest, "0")).isEqualTo("$4\r\nkept\r\n");
    assertThat(client.call("EVALSHA", sha1(eval("return redis.sha1hex('return 0')")), "0"))
        .as("a script that was only run, and is long unused")
        .startsWith("-NOSCRIPT");
  }

  @Test
  void tenantKeepsSoManyLoadedScripts() throws IOException {
    String reply = "";
    for (int i = 0; i <= 1000; i++) {
      reply = client.call("SCRIPT", "LOAD", "return " + i);
    }
    assertThat(reply).startsWith("-QUOTA").contains("1000", "SCRIPT FLUSH");
  }

  private static String digest(String reply) {
    return reply.substring(reply.indexOf('\n') + 1, reply.length() - 2);
  }

  private static String sha1(String reply) {
    return digest(reply);
  }

  @Test
  void operationsOfScriptsAreCharged() throws IOException {
    eval("redis.call('SET', 'a', 1) redis.call('MSET', 'b', 1, 'c', 2) redis.call('GET', 'a')");
    client.call("EVAL_RO", "return 1", "3", "a", "b", "c");
    Map<Measure, Long> charged = new EnumMap<>(Measure.class);
    for (UsageEvent event : member.usage.flush(0)) {
      event
          .quantities()
          .toMap()
          .forEach((measure, more) -> charged.merge(measure, more, Long::sum));
    }
    assertThat(charged).containsEntry(Measure.READS, 1L).containsEntry(Measure.WRITES, 3L);
  }

  // ---- the ways of well-known libraries

  /** A lock with an owner's token: taken, extended and given back by its owner only. */
  @Test
  void lockWithTokenWorks() throws IOException {
    String release =
        """
        local token = redis.call('get', KEYS[1])
        if not token or token ~= ARGV[1] then
            return 0
        end
        redis.call('del', KEYS[1])
        return 1
        """;
    String extend =
        """
        local token = redis.call('get', KEYS[1])
        if not token or token ~= ARGV[1] then
            return 0
        end
        local expiration = redis.call('pttl', KEYS[1])
        if not expiration then
            expiration = 0
        end
        if expiration < 0 then
            return 0
        end
        local newttl = ARGV[2]
        if ARGV[3] == "0" then
            newttl = ARGV[2] + expiration
        end
        redis.call('pexpire', KEYS[1], newttl)
        return 1
        """;
    assertThat(client.call("SET", "lock", "token", "NX", "PX", "10000")).isEqualTo("+OK\r\n");
    assertThat(eval(release, "1", "lock", "other")).isEqualTo(":0\r\n");
    assertThat(eval(extend, "1", "lock", "token", "50000", "0")).isEqualTo(":1\r\n");
    assertThat(eval("return redis.call('pttl', 'lock') > 50000")).isEqualTo(":1\r\n");
    assertThat(eval(release, "1", "lock", "token")).isEqualTo(":1\r\n");
    assertThat(eval(release, "1", "lock", "token")).isEqualTo(":0\r\n");
  }

  /** A rate limiter that counts in windows. */
  @Test
  void rateLimiterWorks() throws IOException {
    String consume =
        """
        redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
        local consumed = redis.call('incrby', KEYS[1], ARGV[1])
        local ttl = redis.call('pttl', KEYS[1])
        if ttl == -1 then
          redis.call('expire', KEYS[1], ARGV[2])
          ttl = 1000 * ARGV[2]
        end
        return {consumed, ttl}
        """;
    for (int i = 1; i <= 3; i++) {
      assertThat(eval(consume, "1", "rl:user", "1", "60"))
          .startsWith("*2\r\n:" + i + "\r\n:")
          .matches("(?s).*:(60000|5\\d{4})\r\n");
    }
  }

  /** A lock whose state is a counter, as of semaphores. */
  @Test
  void counterOfPermitsWorks() throws IOException {
    String acquire =
        """
        local value = redis.call('get', KEYS[1])
        if value ~= false and tonumber(value) >= tonumber(ARGV[1]) then
          return redis.call('decrby', KEYS[1], ARGV[1])
        end
        return nil
        """;
    assertThat(eval(acquire, "1", "permits", "1")).isEqualTo("$-1\r\n");
    client.call("SET", "permits", "2");
    assertThat(eval(acquire, "1", "permits", "1")).isEqualTo(":1\r\n");
    assertThat(eval(acquire, "1", "permits", "2")).isEqualTo("$-1\r\n");
  }

  /** The pause mark and the ids of a queue, the part of queues that is made of strings. */
  @Test
  void queueOfIdsWorks() throws IOException {
    String add =
        """
        local jobId
        if ARGV[1] == '' then
          jobId = redis.call('INCR', KEYS[1])
        else
          jobId = ARGV[1]
        end
        local jobKey = ARGV[2] .. jobId
        if redis.call('EXISTS', jobKey) == 1 then
          return jobId .. ''
        end
        redis.call('SET', jobKey, cmsgpack.pack({name = ARGV[3], at = 17}))
        local job = cmsgpack.unpack(redis.call('GET', jobKey))
        return {jobId .. '', job.name, job['at']}
        """;
    assertThat(eval(add, "1", "bull:id", "", "bull:", "mail"))
        .isEqualTo("*3\r\n$1\r\n1\r\n$4\r\nmail\r\n:17\r\n");
    assertThat(eval(add, "1", "bull:id", "1", "bull:", "mail")).isEqualTo("$1\r\n1\r\n");
  }
}
