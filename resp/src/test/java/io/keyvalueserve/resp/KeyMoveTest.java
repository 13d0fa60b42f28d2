package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** MOVE beside Redis, and what Redis has not: maps with names. */
class KeyMoveTest {
  @ParameterizedTest
  @EnumSource(Way.class)
  void movesAsRedisDoes(Way way, @TempDir Path directory) throws IOException {
    try (RedisProcess redis = RedisProcess.start(directory);
        TestMember member = TestMember.startDev(way, config -> config);
        WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      for (String request :
          List.of(
              "SET k v EX 1000",
              "HSET h f v",
              "MOVE k 5",
              "MOVE k 5",
              "MOVE h 5",
              "EXISTS k h",
              "SET k other",
              "MOVE k 5",
              "GET k",
              "MOVE k 0",
              "MOVE missing 5",
              "MOVE k -1",
              "MOVE k x",
              "MOVE k 1.5",
              "MOVE k",
              "MOVE k 5 6",
              "MULTI",
              "MOVE k 6",
              "GET k",
              "SELECT 6",
              "GET k",
              "MOVE k 6",
              "EXEC",
              "EVAL return{redis.call('MOVE',KEYS[1],ARGV[1]),redis.call('EXISTS',KEYS[1])} 1 k 0",
              "SELECT 5",
              "TTL k",
              "GET k",
              "HGETALL h",
              "SELECT 0",
              "GET k",
              "COMMAND GETKEYS MOVE k 5")) {
        String[] words = request.split(" ", -1);
        assertThat(ours.call(words)).as(request).isEqualTo(theirs.call(words));
      }
    }
  }

  @Test
  void takesTheNamesOfSelect() throws IOException {
    try (TestMember member = TestMember.startDev(config -> config);
        WireClient client = member.connect()) {
      client.call("SELECT", "orders");
      client.call("SET", "old", "1");
      client.call("SELECT", "0");
      client.call("SET", "k", "v");
      assertThat(client.call("MOVE", "k", "nosuch"))
          .isEqualTo("-ERR value is not an integer or out of range\r\n");
      assertThat(client.call("MOVE", "k", "acme/orders")).startsWith("-NOPERM");
      assertThat(client.call("MOVE", "k", "not a name/x")).startsWith("-ERR");
      assertThat(client.call("MOVE", "k", "orders")).isEqualTo(":1\r\n");
      assertThat(client.call("EXISTS", "k")).isEqualTo(":0\r\n");
      client.call("SELECT", "orders");
      assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      assertThat(client.call("MOVE", "k", "orders"))
          .isEqualTo("-ERR source and destination objects are the same\r\n");
    }
  }
}
