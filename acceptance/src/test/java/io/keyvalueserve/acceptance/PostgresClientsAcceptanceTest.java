package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Goal: clients that were written for PostgreSQL use a tenant's maps as tables, unchanged. Method:
 * psycopg and SQLAlchemy create a mapping, write, read, and look at the catalogue.
 */
@ExtendWith(SharedServer.class)
class PostgresClientsAcceptanceTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final KvsProcess server;

  PostgresClientsAcceptanceTest(KvsProcess server) {
    this.server = server;
  }

  @Test
  void clientsOfPythonDoTheirWork() throws Exception {
    ClientLanguage.PYTHON.require();
    Tenant tenant = server.admin().createTenant("postgres-python");
    Map<String, String> environment = new HashMap<>(ClientLanguage.PYTHON.environment());
    environment.put("KVS_ACCESS_KEY", tenant.accessKey());
    String text =
        Commands.run(
            Installation.of(
                "postgres-python", environment, List.of(ClientLanguage.PYTHON.installation())),
            environment,
            PATIENCE,
            List.of(
                "python3",
                "probe.py",
                server.respAddress().getAddress().getHostAddress(),
                Integer.toString(server.postgresPort()),
                tenant.name()));
    JsonNode report = new ObjectMapper().readTree(text);
    assertThat(report.path("psycopg").toString())
        .isEqualTo("[[[\"Ada\",36],[\"Cleo\",41]],[[3,41]],\"42\"]");
    assertThat(report.path("sqlalchemy").toString())
        .isEqualTo("[true,[\"__key\",\"name\",\"age\"],[\"__key\"],[\"Cleo\",\"Eve\"]]");
    assertThat(report.path("wrong key").asBoolean()).isTrue();
  }
}
