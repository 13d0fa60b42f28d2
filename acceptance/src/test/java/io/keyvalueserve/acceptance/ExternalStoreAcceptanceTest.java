package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.config.ClientConfig;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import io.keyvalueserve.stores.EmbeddedDatabase;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import redis.clients.jedis.Jedis;

/**
 * Goal: an operator puts PostgreSQL behind a map with two commands. Nothing that was acknowledged
 * is missing in the table, whichever members are killed, also if it was the database that was away.
 * Method: three processes, clients of two doors, a PostgreSQL server of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExternalStoreAcceptanceTest {
  private static final int SIZE = 3;
  private static final int WRITES = 300;
  private static final Duration SETTLING = Duration.ofSeconds(90);

  private final EmbeddedDatabase database = EmbeddedDatabase.start();
  private final KvsCluster cluster =
      KvsCluster.start("stored", SIZE, member -> List.of("--durability", "always"));
  private final Tenant tenant = cluster.member(0).admin().createTenant("stored-acme");

  @AfterAll
  void end() {
    cluster.close();
    database.close();
  }

  private void table(String map, String... options) {
    database.execute("CREATE TABLE " + map + " (id text PRIMARY KEY, value text)");
    String _ =
        cluster
            .member(0)
            .kvs(
                "store",
                "create",
                "shop",
                "--jdbc",
                database.jdbcUrl(),
                "--user",
                database.user(),
                "--replace");
    List<String> command = new ArrayList<>();
    command.addAll(List.of("map", "configure", tenant + "/" + map, "--store", "shop"));
    command.addAll(List.of("--table", map));
    command.addAll(List.of(options));
    String _ = cluster.member(1).kvs(command.toArray(String[]::new));
  }

  @Test
  void whatWasAcknowledgedReachesTheTableWhoeverIsKilled() {
    table("killed", "--mode", "write-behind", "--delay", "500ms");
    Map<String, String> acknowledged = new HashMap<>();
    ClientConfig config =
        HazelcastClients.config(cluster.member(0).clientAddress(), tenant, SETTLING);
    try (Connection hazelcast = HazelcastClients.connect(config)) {
      List<Writer> writers =
          List.of(
              Writer.overResp("resp", cluster.members(), tenant, "killed"),
              Writer.overHazelcast("hazelcast", hazelcast.client(), "killed"));
      try {
        Writer.awaitMore(writers, WRITES);
        cluster.member(2).kill();
        Writer.awaitMore(writers, WRITES);
        cluster.repair();
        cluster.member(0).admin().awaitSafe(SETTLING);
        database.stop();
        Writer.awaitMore(writers, WRITES);
        cluster.members().forEach(KvsProcess::kill);
        cluster.repair();
        database.restart();
        Writer.awaitMore(writers, WRITES);
      } finally {
        writers.forEach(Writer::close);
      }
      writers.forEach(writer -> acknowledged.putAll(writer.acknowledged()));
    }

    await("all is in the table")
        .atMost(SETTLING)
        .untilAsserted(() -> assertThat(rows("killed")).containsAllEntriesOf(acknowledged));
  }

  @Test
  void whatWasWrittenThroughIsThereForWhoReadsTheTable() {
    table("through", "--mode", "write-through");
    try (Jedis jedis = RedisDoor.jedis(cluster.member(0), tenant, "through")) {
      assertThat(jedis.set("ada", "1815")).isEqualTo("OK");
      assertThat(rows("through")).containsEntry("ada", "1815");
      assertThat(jedis.incrBy("n", 41)).isEqualTo(41);
      assertThat(jedis.incr("n")).isEqualTo(42);
      assertThat(rows("through")).containsEntry("n", "42");
      database.execute("INSERT INTO through VALUES ('eve', 'here')");
      assertThat(jedis.mget("eve", "ada", "nobody")).containsExactly("here", "1815", null);
      assertThat(jedis.del("eve")).isEqualTo(1);
      assertThat(rows("through")).doesNotContainKey("eve");
    }
  }

  private Map<String, String> rows(String table) {
    Map<String, String> rows = new HashMap<>();
    try (var connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery("SELECT id, value FROM " + table)) {
      while (results.next()) {
        String _ = rows.put(results.getString(1), results.getString(2));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return rows;
  }
}
