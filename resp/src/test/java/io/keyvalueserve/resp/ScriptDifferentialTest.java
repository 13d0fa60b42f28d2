package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a script cannot tell this door from Redis. Method: chosen and random scripts are sent to
 * both in RESP2 and RESP3; the replies must be the same bytes. The seed is in the message.
 */
class ScriptDifferentialTest {
  private static final int SCRIPTS = 4_000;
  private static final int MOST_DEPTH = 3;

  /** Requests of one line each; {@code |} ends a line of a script, {@code ^} parts arguments. */
  private static final String CHOSEN =
      """
      EVAL^return 1^0
      EVAL^return {1,2.9,-2.9,'three',nil,4}^0
      EVAL^return {1,{2,{3,{}}},false,true}^0
      EVAL^return nil^0
      EVAL^return^0
      EVAL^^0
      EVAL^return 'a', 'b'^0
      EVAL^return 1e30^0
      EVAL^return 0/0^0
      EVAL^return -1e19^0
      EVAL^return 9007199254740993^0
      EVAL^return print^0
      EVAL^return function() end^0
      EVAL^return coroutine.create(function() end)^0
      EVAL^return {err='MY error'}^0
      EVAL^return {err='a\\nb'}^0
      EVAL^return {err=5}^0
      EVAL^return {ok='fine'}^0
      EVAL^return {ok='a\\r\\nb'}^0
      EVAL^return {ok=5, 1, 2}^0
      EVAL^return {double=3.5}^0
      EVAL^return {double=0.1}^0
      EVAL^return {double=1e100}^0
      EVAL^return {double=1/0}^0
      EVAL^return {double=-1/0}^0
      EVAL^return {double='1'}^0
      EVAL^return {big_number='123456789012345678901234567890'}^0
      EVAL^return {big_number='12\\r\\n3'}^0
      EVAL^return {map={a=1}}^0
      EVAL^return {map={{1,2}}}^0
      EVAL^return {set={a=true}}^0
      EVAL^return {set={}}^0
      EVAL^return {map=1}^0
      EVAL^return {verbatim_string={string='text',format='txt'}}^0
      EVAL^return {verbatim_string={string='text',format='markdown'}}^0
      EVAL^return {verbatim_string={string='text'}}^0
      EVAL^redis.setresp(3) return true^0
      EVAL^redis.setresp(3) return false^0
      EVAL^redis.setresp(3) return {true,false,1}^0
      EVAL^redis.setresp(3) return redis.call('get','absent') == nil^0
      EVAL^return redis.call('get','absent') == false^0
      EVAL^redis.setresp(3) redis.setresp(2) return true^0
      EVAL^redis.setresp(4)^0
      EVAL^redis.setresp()^0
      EVAL^redis.setresp('x')^0
      EVAL^return redis.error_reply('x')^0
      EVAL^return redis.error_reply('-MY x')^0
      EVAL^return redis.error_reply('My x')^0
      EVAL^return redis.error_reply('-x')^0
      EVAL^return redis.error_reply('')^0
      EVAL^return redis.error_reply(1)^0
      EVAL^return redis.error_reply('a','b')^0
      EVAL^return redis.status_reply('fine')^0
      EVAL^return redis.status_reply()^0
      EVAL^return redis.sha1hex('abc')^0
      EVAL^return redis.sha1hex('')^0
      EVAL^return redis.sha1hex(12)^0
      EVAL^return redis.sha1hex({})^0
      EVAL^return redis.sha1hex()^0
      EVAL^return redis.log(redis.LOG_WARNING, 'x')^0
      EVAL^redis.log(1)^0
      EVAL^redis.log('a','b')^0
      EVAL^redis.log(9,'b')^0
      EVAL^redis.set_repl(redis.REPL_ALL) return 1^0
      EVAL^redis.set_repl(77)^0
      EVAL^redis.set_repl()^0
      EVAL^return redis.replicate_commands()^0
      EVAL^return redis.breakpoint()^0
      EVAL^return {redis.REDIS_VERSION, redis.REDIS_VERSION_NUM, redis.LOG_DEBUG, redis.LOG_NOTICE}^0
      EVAL^return {redis.REPL_AOF, redis.REPL_SLAVE, redis.REPL_REPLICA, redis.REPL_NONE}^0
      EVAL^return redis.acl_check_cmd('get','x')^0
      EVAL^return redis.acl_check_cmd('nope')^0
      EVAL^return redis.acl_check_cmd()^0
      EVAL^redis.call()^0
      EVAL^return redis.pcall()^0
      EVAL^redis.call('get',{})^0
      EVAL^redis.call('get',nil)^0
      EVAL^redis.call('get',true)^0
      EVAL^return redis.call('nope')^0
      EVAL^return redis.call('')^0
      EVAL^return redis.call('get')^0
      EVAL^return redis.call('multi')^0
      EVAL^return redis.call('exec')^0
      EVAL^return redis.call('watch','x')^0
      EVAL^return redis.call('eval','return 1',0)^0
      EVAL^return redis.call('evalsha','abc',0)^0
      EVAL^return redis.call('script','flush')^0
      EVAL^return redis.call('auth','x')^0
      EVAL^return redis.call('subscribe','x')^0
      EVAL^return redis.pcall('nope')^0
      EVAL^return redis.pcall('get')^0
      EVAL^return redis.call('PING')^0
      EVAL^return redis.call('ping','x')^0
      EVAL^return redis.call('echo','x')^0
      EVAL^return redis.call('SeT',KEYS[1],ARGV[1])^1^s^a
      EVAL^return redis.call('incr','s')^0
      EVAL^|return redis.call('incr','s')^0
      EVAL^return redis.pcall('incr','s')^0
      EVAL^return redis.pcall('incr','s').err^0
      EVAL^local e = redis.pcall('incr','s') return {tostring(e.ignore_error_stats_update), type(e)}^0
      EVAL^local ok, e = pcall(redis.call,'incr','s') return {tostring(ok), type(e), e}^0
      EVAL^local ok, e = pcall(redis.call,'incr','s')|error(e)^0
      EVAL^local e = redis.pcall('incr','s')|error(e)^0
      EVAL^error('text')^0
      EVAL^error('text', 0)^0
      EVAL^error({err='MY error'})^0
      EVAL^error(12)^0
      EVAL^local function f()|error('deep')|end|f()^0
      EVAL^local function f()|redis.call('incr', 's')|end|return f()^0
      EVAL^return xx^0
      EVAL^xx = 1^0
      EVAL^redis.call = 1^0
      EVAL^string.rep = 1^0
      EVAL^KEYS[2] = 'x' return KEYS[2]^1^a
      EVAL^return {#KEYS, #ARGV, KEYS[1], ARGV[2]}^1^k^a^b
      EVAL^return redis.call('set','n',0.1)^0
      GET^n
      EVAL^return redis.call('set','n',2^53)^0
      EVAL^return redis.call('set','n',1e20)^0
      GET^n
      EVAL^return redis.call('set','n',-0.5)^0
      GET^n
      EVAL^return redis.call('set','n',1/3)^0
      GET^n
      EVAL^redis.call('set','half','done') error('x')^0
      GET^half
      EVAL^return tostring(nil + 1)^0
      EVAL^return #nil^0
      EVAL^math.randomseed(7) return {math.random(1000), math.random(1000), math.random()*1000}^0
      EVAL^return cjson.encode({a={1,2},b='x'})^0
      EVAL^return cmsgpack.unpack(cmsgpack.pack({1,2,3}))^0
      EVAL^return bit.bor(1,6)^0
      EVAL^return struct.unpack('I', struct.pack('I', 77))^0
      EVAL^return redis.call('select','3')^0
      EVAL^redis.call('select','3') return redis.call('set','x','in3')^0
      EXISTS^x
      EVAL^return redis.call('mset','a','1','b','2')^0
      EVAL^return redis.call('mget','a','b','absent')^0
      EVAL^return redis.call('msetnx','a','1','z1','2')^0
      EVAL^return redis.call('msetnx','z1','1','z2','2')^0
      EVAL^return redis.call('rename','z1','z3')^0
      EVAL^return redis.call('rename','absent','z3')^0
      EVAL^return redis.call('renamenx','z3','z2')^0
      EVAL^return redis.call('rename','z3','z3')^0
      EVAL^return redis.call('copy','z3','z4')^0
      EVAL^return redis.call('copy','z3','z4')^0
      EVAL^return redis.call('copy','z3','z4','REPLACE')^0
      EVAL^return redis.call('copy','z3','z3')^0
      EVAL^return redis.call('del','z2','z3','z4','absent')^0
      EVAL^return redis.call('type','a')^0
      EVAL^return redis.call('set','a','v','EX',0)^0
      EVAL^return redis.call('getset','a','new')^0
      EVAL^return redis.call('setex','t',100,'v') and redis.call('ttl','t')^0
      EVAL^local t={} for i=1,5000 do t[i]=i end return t^0
      EVAL^return string.rep('x', 20000)^0
      EVAL_RO^return redis.call('get','a')^0
      EVAL_RO^return redis.call('set','a','b')^0
      EVAL_RO^return redis.pcall('del','a')^0
      EVAL^#!lua|return redis.call('get','a')^0
      EVAL_RO^#!lua|return redis.call('get','a')^0
      EVAL_RO^#!lua flags=no-writes|return redis.call('get','a')^0
      EVAL^#!lua flags=no-writes|return redis.call('set','a',1)^0
      EVAL^#!lua flags=no-writes,allow-oom,allow-stale,no-cluster|return 1^0
      EVAL^#!lua flags=allow-cross-slot-keys|return 1^0
      EVAL^#!lua^0
      EVAL^#!luax|^0
      EVAL^#! lua|^0
      EVAL^#!lua flags=x,|^0
      EVAL^#!lua flags=|return 1^0
      EVAL^#!lua foo|return 1^0
      EVAL^return {^0
      EVAL^return x y^0
      EVAL^return 1^-1
      EVAL^return 1^1
      EVAL^return 1^a
      EVAL^return 1^99999999999999999999
      EVAL^return 1
      EVAL
      EVALSHA^abc^0
      EVALSHA^e0e1f9fabfc9d4800c877a703b823ac0578ff8dc^0
      EVALSHA^E0E1F9FABFC9D4800C877A703B823AC0578FF8DB^0
      EVALSHA^e0e1f9fabfc9d4800c877a703b823ac0578ff8db^0
      EVALSHA_RO^e0e1f9fabfc9d4800c877a703b823ac0578ff8db^0
      SCRIPT^EXISTS^e0e1f9fabfc9d4800c877a703b823ac0578ff8db^E0E1F9FABFC9D4800C877A703B823AC0578FF8DB^x
      SCRIPT^EXISTS
      SCRIPT^LOAD
      SCRIPT^LOAD^return 'loaded'
      SCRIPT^LOAD^return {
      EVALSHA^5f2ee29d4b0fb60e41b5f0f9b1ee7ae1cb7e4ea7^0
      SCRIPT^KILL
      SCRIPT^FLUSH^x
      SCRIPT^FLUSH^ASYNC^SYNC
      SCRIPT^DEBUG^x
      SCRIPT^DEBUG^NO
      SCRIPT^nope
      SCRIPT
      SCRIPT^FLUSH^ASYNC
      SCRIPT^FLUSH^SYNC
      SCRIPT^FLUSH
      SCRIPT^EXISTS^e0e1f9fabfc9d4800c877a703b823ac0578ff8db
      EVALSHA^e0e1f9fabfc9d4800c877a703b823ac0578ff8db^0
      COMMAND^GETKEYS^EVAL^x^2^a^b^c
      COMMAND^GETKEYS^EVALSHA^x^1^a^b^c
      COMMAND^GETKEYS^EVAL^x^7^a
      COMMAND^GETKEYS^EVAL^x^0
      COMMAND^GETKEYS^MSET^a^1^b^2
      COMMAND^GETKEYS^GET^a
      COMMAND^GETKEYS^GET^a^b
      COMMAND^GETKEYS^NOPE^a
      COMMAND^GETKEYS^PING^a
      COMMAND^GETKEYS^GET
      """;

  @TempDir private static Path directory;
  private static PlainRedis redis;
  private TestMember member;

  @BeforeAll
  static void startRedis() throws IOException {
    redis = PlainRedis.start(directory);
  }

  @AfterAll
  static void stopRedis() {
    if (redis != null) {
      redis.close();
    }
  }

  @BeforeEach
  void start() throws IOException {
    member = TestMember.startDev(config -> config);
  }

  @AfterEach
  void stop() {
    member.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "3"})
  void chosenScriptsAreAnsweredWithTheSameBytes(String protocol) throws IOException {
    List<String> differences = new ArrayList<>();
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      greet(ours, theirs, protocol);
      for (String line : CHOSEN.lines().toList()) {
        String[] request = line.replace("2^53", "2 ** 53").split("\\^", -1);
        for (int i = 0; i < request.length; i++) {
          request[i] = request[i].replace("2 ** 53", "2^53").replace('|', '\n');
        }
        String expected = theirs.call(request);
        String actual = ours.call(request);
        if (!actual.equals(expected)) {
          differences.add(line + "\n    expected " + expected + "    actual   " + actual);
        }
      }
    }
    assertThat(differences).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "3"})
  void randomScriptsAreAnsweredWithTheSameBytes(String protocol) throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      greet(ours, theirs, protocol);
      for (int i = 0; i < SCRIPTS; i++) {
        String[] request = {
          random.nextInt(10) == 0 ? "EVAL_RO" : "EVAL", script(random), "2", "a", "b", "7", "x y"
        };
        String expected = theirs.call(request);
        assertThat(ours.call(request))
            .as("seed=%d request=%s", seed, Arrays.toString(request))
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void randomArgumentsAreAnsweredWithTheSameBytes() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    List<String> words =
        List.of("return {KEYS[1],ARGV[1]}", "0", "1", "2", "-1", "x", "", "#!lua", "LOAD", "KILL");
    List<String> names = List.of("EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO", "SCRIPT", "script");
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      greet(ours, theirs, "2");
      for (int i = 0; i < SCRIPTS / 4; i++) {
        String[] request = new String[1 + random.nextInt(6)];
        request[0] = names.get(random.nextInt(names.size()));
        for (int j = 1; j < request.length; j++) {
          request[j] = words.get(random.nextInt(words.size()));
        }
        String expected = theirs.call(request);
        assertThat(ours.call(request))
            .as("seed=%d request=%s", seed, Arrays.toString(request))
            .isEqualTo(expected);
      }
    }
  }

  private static void greet(WireClient ours, WireClient theirs, String protocol)
      throws IOException {
    for (WireClient client : List.of(ours, theirs)) {
      client.call("HELLO", protocol);
      client.call("FLUSHALL");
      client.call("SCRIPT", "FLUSH");
    }
  }

  // ---- random scripts

  private static String script(Random random) {
    StringBuilder script = new StringBuilder();
    if (random.nextInt(3) == 0) {
      script.append("redis.setresp(").append(2 + random.nextInt(2)).append(")\n");
    }
    int statements = random.nextInt(4);
    for (int i = 0; i < statements; i++) {
      script.append("local r").append(i).append(" = ").append(command(random)).append('\n');
    }
    script.append("return ").append(value(random, 0));
    return script.toString();
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth < MOST_DEPTH ? 18 : 9)) {
      case 0 -> "nil";
      case 1 -> "true";
      case 2 -> "false";
      case 3 -> Integer.toString(random.nextInt(2000) - 1000);
      case 4 -> Double.toString(random.nextGaussian() * 1e6);
      case 5 -> "'text'";
      case 6 -> "ARGV[" + (1 + random.nextInt(3)) + "]";
      case 7 -> "KEYS[1] .. '\\0\\r\\n\\255'";
      case 8 -> command(random);
      case 9 -> "{err='" + (random.nextBoolean() ? "MY " : "") + "error'}";
      case 10 -> "{ok='status'}";
      case 11 -> "{double=" + random.nextGaussian() + "}";
      case 12 -> "{map={[" + key(random) + "]=" + value(random, depth + 1) + "}}";
      case 13 -> "{set={[" + key(random) + "]=true}}";
      case 14 -> "{big_number='" + random.nextLong() + "'}";
      case 15 -> "{verbatim_string={string='some text', format='txt'}}";
      default -> {
        List<String> elements = new ArrayList<>();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
          elements.add(value(random, depth + 1));
        }
        yield "{" + String.join(", ", elements) + "}";
      }
    };
  }

  private static String key(Random random) {
    return random.nextBoolean() ? "'key'" : Integer.toString(random.nextInt(5));
  }

  private static String command(Random random) {
    String function = random.nextInt(3) == 0 ? "redis.call" : "redis.pcall";
    String a = argument(random);
    String b = argument(random);
    String words =
        switch (random.nextInt(24)) {
          case 0, 1 -> "'GET', " + a;
          case 2, 3 -> "'SET', " + a + ", " + b;
          case 4 -> "'INCR', " + a;
          case 5 -> "'INCRBY', " + a + ", " + random.nextInt(100);
          case 6 -> "'APPEND', " + a + ", " + b;
          case 7 -> "'DEL', " + a + ", " + b;
          case 8 -> "'EXISTS', " + a + ", " + b;
          case 9 -> "'EXPIRE', " + a + ", 1000";
          case 10 -> "'TTL', " + a;
          case 11 -> "'STRLEN', " + a;
          case 12 -> "'GETRANGE', " + a + ", 0, 2";
          case 13 -> "'MSET', " + a + ", 1, " + b + ", 2";
          case 14 -> "'MGET', " + a + ", " + b;
          case 15 -> "'SETNX', " + a + ", " + b;
          case 16 -> "'MSETNX', " + a + ", 3, " + b + ", 4";
          case 17 -> "'RENAME', " + a + ", " + b;
          case 18 -> "'RENAMENX', " + a + ", " + b;
          case 19 -> "'COPY', " + a + ", " + b;
          case 20 -> "'TYPE', " + a;
          case 21 -> "'SET', " + a + ", " + b + ", 'NX', 'GET'";
          case 22 -> "'PERSIST', " + a;
          default -> "'SETRANGE', " + a + ", " + (random.nextInt(20) - 2) + ", " + b;
        };
    return function + "(" + words + ")";
  }

  private static String argument(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> "KEYS[2]";
      case 1 -> "ARGV[1]";
      case 2 -> Double.toString(random.nextInt(8) / 4.0);
      case 3 -> random.nextInt(10) == 0 ? "{}" : "'c'";
      case 4 -> "'d'";
      default -> "KEYS[1]";
    };
  }
}
