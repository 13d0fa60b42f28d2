package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.sql.HazelcastSqlException;
import com.hazelcast.sql.SqlResult;
import com.hazelcast.sql.SqlRow;
import com.hazelcast.sql.SqlService;
import com.hazelcast.sql.SqlStatement;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;

/** Goal: a tenant asks its maps in SQL, with the unmodified Java client of Hazelcast. */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlAcceptanceTest {
  private static final int MANY = 5_000;

  private final KvsProcess server;
  private final Tenant tenant;
  private final Connection connection;
  private final SqlService sql;

  SqlAcceptanceTest(KvsProcess server) {
    this.server = server;
    tenant = server.admin().createTenant("sql-acme");
    connection = HazelcastClients.connect(server, tenant);
    sql = connection.client().getSql();
  }

  @AfterAll
  void disconnect() {
    connection.close();
  }

  private List<List<Object>> rows(String statement, Object... arguments) {
    List<List<Object>> rows = new ArrayList<>();
    try (SqlResult result = sql.execute(statement, arguments)) {
      for (SqlRow row : result) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < row.getMetadata().getColumnCount(); i++) {
          values.add(row.getObject(i));
        }
        rows.add(values);
      }
    }
    return rows;
  }

  @SuppressWarnings("removal") // as long as there is nothing else
  private long update(String statement, Object... arguments) {
    try (SqlResult result = sql.execute(statement, arguments)) {
      return result.updateCount();
    }
  }

  @Test
  void aMappingIsWrittenAndReadInSql() {
    long _ =
        update(
            "CREATE MAPPING cities (__key INT, name VARCHAR, area DECIMAL, founded DATE)"
                + " TYPE IMap OPTIONS ('keyFormat'='int', 'valueFormat'='compact',"
                + " 'valueCompactTypeName'='city')");
    assertThat(
            update(
                "INSERT INTO cities VALUES (1, 'Bonn', 141.06, DATE '0011-01-01'),"
                    + " (2, 'Ulm', CAST(118.7 AS DECIMAL), NULL)"))
        .isEqualTo(2);
    assertThat(rows("SELECT __key, name, area, founded FROM cities ORDER BY __key"))
        .containsExactly(
            List.of(1, "Bonn", new BigDecimal("141.06"), LocalDate.of(11, 1, 1)),
            Arrays.asList(2, "Ulm", new BigDecimal("118.7"), null));
    GenericRecord bonn = connection.client().<Integer, GenericRecord>getMap("cities").get(1);
    assertThat(Objects.requireNonNull(bonn).getString("name")).isEqualTo("Bonn");
    assertThat(rows("SELECT name FROM cities WHERE __key = ?", 2)).containsExactly(List.of("Ulm"));
    assertThatThrownBy(() -> update("INSERT INTO cities (__key, name) VALUES (1, 'again')"))
        .isInstanceOf(HazelcastSqlException.class)
        .hasMessageContaining("duplicate key");
    long _ = update("SINK INTO cities (__key, name) VALUES (1, 'Bonn am Rhein')");
    long _ = update("UPDATE cities SET name = 'Neu-Ulm' WHERE name = 'Ulm'");
    assertThat(rows("SELECT name FROM cities ORDER BY name"))
        .containsExactly(List.of("Bonn am Rhein"), List.of("Neu-Ulm"));
    long _ = update("DELETE FROM cities WHERE __key > 0");
    assertThat(rows("SELECT count(*) FROM cities")).containsExactly(List.of(0L));
    long _ = update("DROP MAPPING cities");
  }

  @Test
  void aMapWithoutAMappingIsATable() {
    Map<String, HazelcastJsonValue> documents = new HashMap<>();
    for (int i = 0; i < MANY; i++) {
      documents.put(
          "k" + i, new HazelcastJsonValue("{\"n\": " + i + ", \"group\": \"g" + i % 3 + "\"}"));
    }
    connection.client().<String, HazelcastJsonValue>getMap("documents").putAll(documents);
    assertThat(
            rows(
                "SELECT \"group\", count(*), min(n), max(n) FROM documents GROUP BY \"group\""
                    + " ORDER BY 1"))
        .containsExactly(
            List.of("g0", 1667L, 0L, 4998L),
            List.of("g1", 1667L, 1L, 4999L),
            List.of("g2", 1666L, 2L, 4997L));
    SqlStatement all = new SqlStatement("SELECT n FROM documents").setCursorBufferSize(100);
    long sum = 0;
    try (SqlResult result = sql.execute(all)) {
      for (SqlRow row : result) {
        sum += row.<Long>getObject("n");
      }
    }
    assertThat(sum).isEqualTo((long) MANY * (MANY - 1) / 2);
    try (SqlResult abandoned = sql.execute(all)) {
      assertThat(abandoned.iterator().next()).isNotNull();
    }
    assertThat(rows("SELECT a.n FROM documents a JOIN documents b ON a.n = b.n WHERE b.n = 7"))
        .containsExactly(List.of(7L));
  }

  @Test
  void recordsAreReadWhole() {
    GenericRecord person =
        GenericRecordBuilder.compact("person").setString("name", "Ada").setInt32("age", 36).build();
    connection.client().<Long, GenericRecord>getMap("persons").put(1L, person);
    assertThat(rows("SELECT __key, name, age, this FROM persons WHERE age = 36"))
        .containsExactly(List.of(1L, "Ada", 36, person));
  }

  @Test
  void whatRedisClientsWroteIsRead() {
    try (Jedis jedis = RedisDoor.jedis(server, tenant, "sessions")) {
      jedis.hset("s:1", Map.of("user", "ada", "hits", "3"));
      jedis.hset("s:2", Map.of("user", "bob", "hits", "4"));
    }
    long _ =
        update(
            "CREATE MAPPING hits EXTERNAL NAME sessions (__key VARCHAR, \"user\" VARCHAR, hits INT)"
                + " TYPE IMap OPTIONS ('keyFormat'='varchar', 'valueFormat'='hash')");
    assertThat(rows("SELECT sum(hits) FROM hits")).containsExactly(List.of(7L));
    long _ = update("UPDATE hits SET hits = hits + 1 WHERE \"user\" = 'ada'");
    try (Jedis jedis = RedisDoor.jedis(server, tenant, "sessions")) {
      assertThat(jedis.hget("s:1", "hits")).isEqualTo("4");
    }
  }

  @Test
  void errorsNameWhatIsWrong() {
    assertThatThrownBy(() -> rows("SELECT nothing FROM nowhere"))
        .isInstanceOf(HazelcastSqlException.class)
        .hasMessageContaining("nowhere");
    assertThatThrownBy(() -> rows("SELEC 1"))
        .isInstanceOf(HazelcastSqlException.class)
        .hasMessageContaining("at character 1");
    assertThatThrownBy(() -> rows("SELECT 1 / 0"))
        .isInstanceOf(HazelcastSqlException.class)
        .hasMessageContaining("zero");
  }

  @Test
  void otherTenantsSeeNothingWithoutAGrant() {
    connection.client().getMap("secrets").put("k", "v");
    Tenant other = server.admin().createTenant("sql-other");
    try (Connection stranger = HazelcastClients.connect(server, other)) {
      SqlService theirs = stranger.client().getSql();
      String read = "SELECT this FROM \"sql-acme/secrets\"";
      assertThatThrownBy(() -> theirs.execute(read))
          .isInstanceOf(HazelcastSqlException.class)
          .hasMessageContaining("not found");
      String _ = server.admin().grant(tenant, "secrets", other, "read", "");
      await()
          .untilAsserted(
              () -> {
                try (SqlResult result = theirs.execute(read)) {
                  assertThat(result.iterator().next().<String>getObject(0)).isEqualTo("v");
                }
              });
      assertThatThrownBy(() -> theirs.execute("DELETE FROM \"sql-acme/secrets\" WHERE true"))
          .isInstanceOf(HazelcastSqlException.class)
          .hasMessageContaining("grant");
    }
  }
}
