package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.MapEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a subscriber is told of the same events of keys as by Redis, in the same order. Method:
 * random commands, alone, in blocks and in scripts, are sent to both, and what a subscriber of
 * {@code __key*} hears is compared after each. The seed is in the message.
 */
class NoticesDifferentialTest {
  private static final int COMMANDS = 6_000;
  private static final String MARK = "__key-mark";

  /** Requests, in which {@code s1} to {@code s3} are strings, {@code l1} lists, and so on. */
  private static final List<String> REQUESTS =
      """
      set S V|set S V ex 100|set S V px 100000 nx|set S V xx|set S V keepttl|set S V get|setnx S V
      setex S 100 V|psetex S 100000 V|getset S V|mset S V S V|msetnx S V S V|append S V|append S
      setrange S 2 V|setrange S 0|incr N|decr N|incrby N 5|decrby N 0|incrbyfloat N 1|getdel S|getex S ex 100
      getex S persist|getex S|setbit S 3 1|setbit S 900 0|bitfield S set u8 0 5|bitfield S get u8 0
      pfadd P V|pfmerge P P|bitop or S S S|del A|del A A|unlink A|expire A 100|expire A -1|pexpire A 100000
      expireat A 2000000000|expire A 100 nx|expire A 50 gt|persist A|rename A A|renamenx A A|copy A A|copy A A replace
      hset H f V|hset H f V g V|hmset H f V|hsetnx H f V|hincrby H n 1|hincrby H n 0|hincrbyfloat H n 0.5|hdel H f
      hdel H f g n|hdel H zz|lpush L V|lpush L V V|rpush L V|lpushx L V|rpushx L V|lpop L|rpop L|lpop L 2|rpop L 9
      linsert L before V V|lset L 0 V|lset L -1 V|lrem L 0 V|lrem L 1 V|ltrim L 0 1|ltrim L 1 -1|ltrim L 0 -1|ltrim L 5 6
      lmove L L left right|lmove L L right left|lmove L L left left|rpoplpush L L|lmpop 2 L L left|lmpop 1 L right count 2
      blpop L L 0.01|brpop L 0.01|blmove L L left right 0.01|blmpop 0.01 2 L L right|brpoplpush L L 0.01
      sadd T V|sadd T V V|srem T V|srem T 1 2 3 4 5 6|spop T 100|smove T T V|sinterstore T T T|sunionstore T T T|sdiffstore T T T
      zadd Z 1 V|zadd Z 1 V 2 V|zadd Z nx 3 V|zadd Z xx 3 V|zadd Z gt 5 V|zadd Z ch 4 V|zadd Z incr 1 V|zincrby Z 1 V|zincrby Z 0 V
      zrem Z V|zrem Z 1 2 3 4 5 6|zremrangebyrank Z 0 0|zremrangebyrank Z 0 -1|zremrangebyscore Z 0 1|zremrangebylex Z - +
      zpopmin Z|zpopmax Z 2|zmpop 1 Z min|zmpop 2 Z Z max count 2|bzpopmin Z 0.01|bzpopmax Z Z 0.01|bzmpop 0.01 1 Z min
      zunionstore Z 2 Z Z|zinterstore Z 2 Z Z|zdiffstore Z 2 Z Z|zrangestore Z Z 0 -1|zrangestore Z Z 9 10
      geoadd G 1 1 V|geoadd G xx 1 1 V|geosearchstore G G fromlonlat 1 1 byradius 1 km|georadius G 1 1 1 km store G
      sort L store L|sort T alpha store L|get S|hgetall H|lrange L 0 -1|type A|exists A|incr H|lpush S V|sadd L V|zadd H 1 V
      """
          .lines()
          .flatMap(line -> List.of(line.strip().split("\\|", -1)).stream())
          .toList();

  private final List<AutoCloseable> opened = new ArrayList<>();

  private static String filled(String request, Random random) {
    StringBuilder filled = new StringBuilder();
    for (String word : request.split(" ", -1)) {
      String one =
          switch (word) {
            case "S" -> key("s", random);
            case "N" -> key("n", random);
            case "P" -> key("p", random);
            case "H" -> key("h", random);
            case "L" -> key("l", random);
            case "T" -> key("t", random);
            case "Z" -> key("z", random);
            case "G" -> key("g", random);
            case "A" -> key("snphltzg".charAt(random.nextInt(8)) + "", random);
            case "V" -> Integer.toString(1 + random.nextInt(6));
            default -> word;
          };
      filled.append(filled.isEmpty() ? "" : " ").append(one);
    }
    return filled.toString();
  }

  private static String key(String kind, Random random) {
    return kind + (1 + random.nextInt(3));
  }

  /** One side: a client that works, and one that listens. */
  private static final class Side {
    private final WireClient worker;
    private final WireClient hearer;

    Side(WireClient worker, WireClient hearer, String flags) throws IOException {
      this.worker = worker;
      this.hearer = hearer;
      assertThat(worker.call("CONFIG", "SET", "notify-keyspace-events", flags))
          .isEqualTo("+OK\r\n");
      assertThat(hearer.call("PSUBSCRIBE", "__key*")).startsWith("*3");
    }

    List<String> heard() throws IOException {
      worker.call("PUBLISH", MARK, "x");
      List<String> heard = new ArrayList<>();
      while (true) {
        String message = hearer.reply().replace("\r\n", " ").replaceAll("[*$]\\d+ ", "");
        if (message.contains(MARK)) {
          return heard;
        }
        heard.add(message);
      }
    }
  }

  private void compare(String flags, long seed, Path directory) throws Exception {
    Random random = new Random(seed);
    try (RedisProcess redis = RedisProcess.start(directory);
        TestMember member =
            TestMember.start(new MapEngine(InstantSource.system()), config -> config)) {
      Side theirs = new Side(opened(redis.connect()), opened(redis.connect()), flags);
      Side ours = new Side(opened(member.connect("acme")), opened(member.connect("acme")), flags);
      List<String> differences = new ArrayList<>();
      for (int i = 0; i < COMMANDS && differences.size() < 30; i++) {
        List<String> requests = new ArrayList<>();
        int way = random.nextInt(10);
        int count = way == 0 ? 3 : 1;
        for (int j = 0; j < count; j++) {
          requests.add(filled(REQUESTS.get(random.nextInt(REQUESTS.size())), random));
        }
        boolean isScript = way == 1 && !requests.getFirst().matches("bl.*|br.*|bz.*");
        String reply = send(theirs.worker, requests, way == 0, isScript);
        String own = send(ours.worker, requests, way == 0, isScript);
        List<String> expected = theirs.heard();
        List<String> heard = ours.heard();
        if (!heard.equals(expected)) {
          differences.add(
              requests
                  + " "
                  + way
                  + ": "
                  + heard
                  + " and not "
                  + expected
                  + " with "
                  + own.strip()
                  + " and "
                  + reply.strip());
        }
      }
      assertThat(differences).as("seed %d, flags %s", seed, flags).isEmpty();
    } finally {
      for (AutoCloseable each : opened) {
        each.close();
      }
      opened.clear();
    }
  }

  private WireClient opened(WireClient client) {
    opened.add(client);
    return client;
  }

  private static String send(
      WireClient client, List<String> requests, boolean isBlock, boolean isScript)
      throws IOException {
    if (!isBlock && !isScript) {
      return client.call(words(requests.getFirst()));
    }
    if (isScript) {
      List<String> words =
          new ArrayList<>(List.of("EVAL", "return redis.pcall(unpack(ARGV))", "0"));
      words.addAll(List.of(words(requests.getFirst())));
      return client.call(words.toArray(String[]::new));
    }
    client.call("MULTI");
    for (String request : requests) {
      client.call(words(request));
    }
    return client.call("EXEC");
  }

  private static String[] words(String request) {
    String[] words = request.split(" ", -1);
    return request.startsWith("append") && words.length == 2
        ? new String[] {words[0], words[1], ""}
        : request.startsWith("setrange") && words.length == 3
            ? new String[] {words[0], words[1], words[2], ""}
            : words;
  }

  @Test
  void subscribersHearTheSameEvents(@TempDir Path directory) throws Exception {
    compare("KEA", 7, directory);
  }

  @Test
  void subscribersHearOfTheKindsThatAreTurnedOn(@TempDir Path directory) throws Exception {
    compare("Eg$n", 8, directory);
  }

  @Test
  void lettersAreReadAndPrintedAsByRedis(@TempDir Path directory) throws Exception {
    Random random = new Random(9);
    String letters = "KEg$lshzxetmndA";
    try (RedisProcess redis = RedisProcess.start(directory);
        TestMember member = TestMember.start();
        WireClient theirs = redis.connect();
        WireClient ours = member.connect("acme")) {
      for (int i = 0; i < 300; i++) {
        StringBuilder flags = new StringBuilder();
        for (int j = random.nextInt(12); j > 0; j--) {
          flags.append(i % 10 == 0 ? (char) ('a' + random.nextInt(26)) : letter(letters, random));
        }
        String[] set = {"CONFIG", "SET", "notify-keyspace-events", flags.toString()};
        assertThat(ours.call(set)).as("%s", flags).isEqualTo(theirs.call(set));
        String[] get = {"CONFIG", "GET", "notify-keyspace-events"};
        assertThat(ours.call(get)).as("%s", flags).isEqualTo(theirs.call(get));
      }
    }
  }

  private static char letter(String letters, Random random) {
    return letters.charAt(random.nextInt(letters.length()));
  }
}
