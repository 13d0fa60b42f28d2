package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** MULTI, EXEC, DISCARD and WATCH, in Redis' own words. */
final class TransactionsTest {
  private static final String OK = "+OK\r\n";
  private static final String QUEUED = "+QUEUED\r\n";
  private static final String NOT_AN_INTEGER = "-ERR value is not an integer or out of range\r\n";

  private static TestMember member;

  @BeforeAll
  static void start() throws IOException {
    member = TestMember.start();
  }

  @AfterAll
  static void stop() {
    member.close();
  }

  @Test
  void carriesOutWhatIsQueuedAndNothingBefore() throws IOException {
    try (WireClient client = member.connect("acme");
        WireClient other = member.connect("acme")) {
      assertThat(client.call("MULTI")).isEqualTo(OK);
      assertThat(client.call("SET", "t1", "a")).isEqualTo(QUEUED);
      assertThat(client.call("INCR", "t2")).isEqualTo(QUEUED);
      assertThat(client.call("MGET", "t1", "t2", "t3")).isEqualTo(QUEUED);
      assertThat(client.call("PING")).isEqualTo(QUEUED);
      assertThat(other.call("EXISTS", "t1", "t2")).isEqualTo(":0\r\n");
      assertThat(client.call("EXEC"))
          .isEqualTo("*4\r\n+OK\r\n:1\r\n*3\r\n$1\r\na\r\n$1\r\n1\r\n$-1\r\n+PONG\r\n");
      assertThat(other.call("EXISTS", "t1", "t2")).isEqualTo(":2\r\n");
    }
  }

  /** In one read, as pipelines send it: the direct path must not pass the block. */
  @Test
  void carriesOutPipelinedBlocks() throws IOException {
    try (WireClient client = member.connect("acme")) {
      StringBuilder requests = new StringBuilder();
      for (List<String> each :
          List.of(
              List.of("SET", "p1", "0"),
              List.of("MULTI"),
              List.of("INCR", "p1"),
              List.of("GET", "p1"),
              List.of("EXEC"),
              List.of("GET", "p1"))) {
        requests.append(WireClient.requestText(each.toArray(String[]::new)));
      }
      client.send(requests.toString());
      assertThat(client.reply()).isEqualTo(OK);
      assertThat(client.reply()).isEqualTo(OK);
      assertThat(client.reply()).isEqualTo(QUEUED);
      assertThat(client.reply()).isEqualTo(QUEUED);
      assertThat(client.reply()).isEqualTo("*2\r\n:1\r\n$1\r\n1\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\n1\r\n");
    }
  }

  @Test
  void leavesOtherCommandsInEffectIfOneFails() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.call("MULTI");
      client.call("SET", "e1", "text");
      client.call("INCR", "e1");
      client.call("SET", "e2", "done");
      assertThat(client.call("EXEC")).isEqualTo("*3\r\n+OK\r\n" + NOT_AN_INTEGER + "+OK\r\n");
      assertThat(client.call("GET", "e2")).isEqualTo("$4\r\ndone\r\n");
    }
  }

  @Test
  void rollsBackIfAskedTo() throws IOException {
    try (WireClient client = member.connect("acme")) {
      assertThat(client.call("KVS.MULTI", "ROLLBACK")).isEqualTo(OK);
      client.call("MULTI");
      client.call("SET", "r1", "text");
      client.call("INCR", "r1");
      assertThat(client.call("EXEC"))
          .isEqualTo(
              "-EXECABORT Transaction rolled back: command 2 'incr': ERR value is not an integer"
                  + " or out of range\r\n");
      assertThat(client.call("EXISTS", "r1")).isEqualTo(":0\r\n");
      assertThat(client.call("KVS.MULTI", "KEEP")).isEqualTo(OK);
    }
  }

  @Test
  void discardsABlockThatHoldsAnError() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.call("MULTI");
      assertThat(client.call("SET", "x1", "1")).isEqualTo(QUEUED);
      assertThat(client.call("NOSUCH")).startsWith("-ERR unknown command 'NOSUCH'");
      assertThat(client.call("GET")).startsWith("-ERR wrong number of arguments");
      assertThat(client.call("SET", "x2", "1")).isEqualTo(QUEUED);
      assertThat(client.call("EXEC"))
          .isEqualTo("-EXECABORT Transaction discarded because of previous errors.\r\n");
      assertThat(client.call("EXISTS", "x1", "x2")).isEqualTo(":0\r\n");
    }
  }

  @Test
  void refusesWhatCannotBePartOfIt() throws IOException {
    try (WireClient client = member.connect("acme")) {
      for (List<String> request :
          List.of(
              List.of("KEYS", "*"),
              List.of("SCAN", "0"),
              List.of("DBSIZE"),
              List.of("FLUSHALL"),
              List.of("RANDOMKEY"),
              List.of("AUTH", "acme", "x"),
              List.of("HELLO", "3"),
              List.of("PUBSUB", "CHANNELS"),
              List.of("SUBSCRIBE", "c"),
              List.of("PSUBSCRIBE", "c"),
              List.of("SSUBSCRIBE", "c"),
              List.of("UNSUBSCRIBE"),
              List.of("PUNSUBSCRIBE", "c"),
              List.of("SUNSUBSCRIBE"),
              List.of("MONITOR"),
              List.of("CLIENT", "REPLY", "OFF"))) {
        client.call("MULTI");
        assertThat(client.call(request.toArray(String[]::new)))
            .contains("cannot be part of a transaction");
        assertThat(client.call("EXEC")).startsWith("-EXECABORT");
      }
    }
  }

  @Test
  void saysWhatIsWrongWithABlock() throws IOException {
    try (WireClient client = member.connect("acme")) {
      assertThat(client.call("EXEC")).isEqualTo("-ERR EXEC without MULTI\r\n");
      assertThat(client.call("DISCARD")).isEqualTo("-ERR DISCARD without MULTI\r\n");
      client.call("MULTI");
      assertThat(client.call("MULTI")).isEqualTo("-ERR MULTI calls can not be nested\r\n");
      assertThat(client.call("WATCH", "k")).isEqualTo("-ERR WATCH inside MULTI is not allowed\r\n");
      client.call("SET", "d1", "1");
      assertThat(client.call("DISCARD")).isEqualTo(OK);
      assertThat(client.call("EXISTS", "d1")).isEqualTo(":0\r\n");
      client.call("MULTI");
      assertThat(client.call("EXEC")).isEqualTo("*0\r\n");
    }
    try (WireClient next = member.connect()) {
      assertThat(next.call("MULTI")).startsWith("-NOAUTH");
    }
  }

  @Test
  void doesNothingIfWatchedKeyChanged() throws IOException {
    try (WireClient client = member.connect("acme");
        WireClient other = member.connect("acme")) {
      client.call("SET", "w1", "1");
      assertThat(client.call("WATCH", "w1", "absent")).isEqualTo(OK);
      other.call("SET", "w1", "2");
      client.call("MULTI");
      client.call("SET", "w2", "1");
      assertThat(client.call("EXEC")).isEqualTo("*-1\r\n");
      assertThat(client.call("EXISTS", "w2")).isEqualTo(":0\r\n");
      client.call("MULTI");
      client.call("SET", "w2", "1");
      assertThat(client.call("EXEC")).isEqualTo("*1\r\n+OK\r\n");

      client.call("WATCH", "w1");
      other.call("SET", "w1", "3");
      assertThat(client.call("UNWATCH")).isEqualTo(OK);
      client.call("MULTI");
      client.call("GET", "w1");
      assertThat(client.call("EXEC")).isEqualTo("*1\r\n$1\r\n3\r\n");
    }
  }

  @Test
  void usesSeveralMapsAndMovesKeys() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.call("MULTI");
      client.call("SET", "m1", "zero");
      client.call("SELECT", "5");
      client.call("SET", "m1", "five");
      client.call("RENAME", "m1", "m2");
      client.call("COPY", "m2", "m3");
      client.call("MSETNX", "m4", "1", "m5", "2");
      client.call("MSETNX", "m5", "1", "m6", "2");
      client.call("GET", "m3");
      assertThat(client.call("EXEC"))
          .isEqualTo("*8\r\n+OK\r\n+OK\r\n+OK\r\n+OK\r\n:1\r\n:1\r\n:0\r\n$4\r\nfive\r\n");
      assertThat(client.call("MGET", "m1", "m2", "m6"))
          .isEqualTo("*3\r\n$-1\r\n$4\r\nfive\r\n$-1\r\n");
      client.call("SELECT", "0");
      assertThat(client.call("GET", "m1")).isEqualTo("$4\r\nzero\r\n");
    }
  }

  @Test
  void dropsTheBlockAtReset() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.call("MULTI");
      client.call("SET", "z1", "1");
      assertThat(client.call("RESET")).isEqualTo("+RESET\r\n");
      assertThat(client.call("AUTH", "acme", TestMember.key("acme"))).isEqualTo(OK);
      assertThat(client.call("EXEC")).isEqualTo("-ERR EXEC without MULTI\r\n");
      assertThat(client.call("EXISTS", "z1")).isEqualTo(":0\r\n");
    }
  }

  @Test
  void boundsWhatIsQueued() throws IOException {
    try (WireClient client = member.connect("acme")) {
      StringBuilder requests = new StringBuilder(WireClient.requestText("MULTI"));
      for (int i = 0; i <= 4096; i++) {
        requests.append(WireClient.requestText("PING"));
      }
      client.send(requests.toString());
      assertThat(client.reply()).isEqualTo(OK);
      for (int i = 0; i < 4096; i++) {
        assertThat(client.reply()).isEqualTo(QUEUED);
      }
      assertThat(client.reply()).startsWith("-ERR a transaction takes at most 4096 commands");
      assertThat(client.call("EXEC")).startsWith("-EXECABORT");
    }
  }

  @Test
  void boundsTheCollectionsThatACommandNames() throws IOException {
    try (WireClient client = member.connect("acme")) {
      for (int most : new int[] {16, 17}) {
        String[] keys = new String[most];
        for (int i = 0; i < most; i++) {
          keys[i] = "c" + i;
        }
        String number = Integer.toString(most);
        String stored = Integer.toString(most - 1);
        for (String request :
            List.of(
                "SUNION " + String.join(" ", keys),
                "SINTERSTORE " + String.join(" ", keys),
                "ZUNION " + number + " " + String.join(" ", keys),
                "ZDIFFSTORE c0 " + stored + " " + String.join(" ", keys).substring(3),
                "ZINTERCARD " + number + " " + String.join(" ", keys),
                "LMPOP " + number + " " + String.join(" ", keys) + " LEFT")) {
          String[] words = request.split(" ");
          client.call("MULTI");
          client.call(words);
          for (String reply : List.of(client.call("EXEC").substring(4), client.call(words))) {
            if (most == 16) {
              assertThat(reply).as(request).doesNotStartWith("-");
            } else {
              assertThat(reply)
                  .as(request)
                  .startsWith("-ERR a command names at most 16 collections")
                  .contains("resp.max-collection");
            }
          }
        }
      }
      assertThat(client.call(("SUNION" + " c0".repeat(40)).split(" ", -1))).isEqualTo("*0\r\n");
    }
  }

  @Test
  void boundsTheKeysOfCommandsThatSayHowManyTheyHave() throws IOException {
    try (WireClient client = member.connect("acme")) {
      String[] request = new String[3 + 16_385];
      request[0] = "EVAL";
      request[1] = "return 1";
      for (int i = 3; i < request.length; i++) {
        request[i] = "k";
      }
      request[2] = "0"; // all are arguments
      client.call("MULTI");
      assertThat(client.call(request)).isEqualTo(QUEUED);
      assertThat(client.call("EXEC")).isEqualTo("*1\r\n:1\r\n");
      request[2] = "16385";
      client.call("MULTI");
      assertThat(client.call(request)).startsWith("-ERR a transaction takes at most");
      assertThat(client.call("EXEC")).startsWith("-EXECABORT");
    }
  }

  @Test
  void carriesOutCommandsThatAreDoneInParts() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.call("MSET", "l1", "ohmytext", "l2", "mynewtext");
      client.call("MULTI");
      client.call("LCS", "l1", "l2");
      client.call("EVAL", "return redis.call('LCS', 'l1', 'l2', 'LEN')", "2", "l1", "l2");
      client.call("LCS", "l1", "l2", "LEN", "IDX");
      assertThat(client.call("EXEC")).startsWith("*3\r\n$6\r\nmytext\r\n:6\r\n-ERR If you want");
    }
  }

  @Test
  void watchesManyKeysOnceEach() throws IOException {
    try (WireClient client = member.connect("acme")) {
      String[] request = new String[2001];
      request[0] = "WATCH";
      for (int i = 1; i < request.length; i++) {
        request[i] = "many" + i;
      }
      for (int i = 0; i < 2; i++) {
        assertThat(client.call(request)).isEqualTo(OK);
      }
      String[] more = java.util.Arrays.copyOf(request, 2001 + 96);
      for (int i = 2001; i < more.length; i++) {
        more[i] = "more" + i;
      }
      assertThat(client.call(more)).isEqualTo(OK);
      client.call("SET", "more2050", "1");
      client.call("MULTI");
      assertThat(client.call("EXEC")).isEqualTo("*-1\r\n");
    }
  }

  /** In a block, in a script and by themselves: as they are, and in the ways that take parts. */
  @Test
  void combinesLargeSets() throws IOException {
    try (WireClient client = member.connect("acme")) {
      Set<String> odd = new TreeSet<>();
      Set<String> low = new TreeSet<>();
      for (int i = 0; i < 4000; i++) {
        String member = "m" + i;
        if (i % 2 == 1) {
          client.call("SADD", "odd", member);
          odd.add(member);
        }
        if (i < 3000) {
          client.call("SADD", "low", member);
          low.add(member);
        }
      }
      Set<String> both = new TreeSet<>(odd);
      both.retainAll(low);
      Set<String> any = new TreeSet<>(odd);
      any.addAll(low);
      Set<String> rest = new TreeSet<>(low);
      rest.removeAll(odd);
      assertThat(members(client.call("SINTER", "low", "odd"))).isEqualTo(both);
      assertThat(members(client.call("SUNION", "low", "odd", "none"))).isEqualTo(any);
      assertThat(members(client.call("SDIFF", "low", "none", "odd"))).isEqualTo(rest);
      assertThat(client.call("SINTER", "low", "none")).isEqualTo("*0\r\n");
      assertThat(client.call("SINTERCARD", "2", "low", "odd")).isEqualTo(":1500\r\n");
      assertThat(client.call("SINTERCARD", "2", "low", "odd", "LIMIT", "7")).isEqualTo(":7\r\n");
      client.call("SET", "text", "x");
      assertThat(client.call("SUNION", "low", "text")).startsWith("-WRONGTYPE");
      assertThat(client.call("SUNIONSTORE", "text", "low", "odd")).isEqualTo(":3500\r\n");
      assertThat(members(client.call("SMEMBERS", "text"))).isEqualTo(any);
      client.call("MULTI");
      client.call("SINTER", "low", "odd");
      client.call("SDIFFSTORE", "low", "low", "odd");
      client.call("SINTERCARD", "2", "low", "odd");
      String replies = client.call("EXEC");
      assertThat(replies).startsWith("*3\r\n*1500\r\n").endsWith(":1500\r\n:0\r\n");
      assertThat(members(client.call("EVAL", "return redis.call('SUNION', 'low', 'odd')", "0")))
          .isEqualTo(any);
    }
  }

  private static Set<String> members(String reply) {
    Set<String> members = new TreeSet<>();
    reply.lines().filter(line -> line.startsWith("m")).forEach(members::add);
    return members;
  }

  @Test
  void removesAllFromTheEndByTheLeastCount() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.call("RPUSH", "list", "a", "b", "a");
      assertThat(client.call("LREM", "list", "-9223372036854775808", "a")).isEqualTo(":2\r\n");
      assertThat(client.call("LRANGE", "list", "0", "-1")).isEqualTo("*1\r\n$1\r\nb\r\n");
    }
  }
}
