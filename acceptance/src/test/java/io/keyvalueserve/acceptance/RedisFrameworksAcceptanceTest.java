package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Goal: an application that was written for Redis runs unchanged as one tenant. Method: public
 * frameworks for queues, locks, limits and sessions do their work; they come from the registries of
 * their languages, unmodified.
 */
@ExtendWith(SharedServer.class)
class RedisFrameworksAcceptanceTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final KvsProcess server;

  RedisFrameworksAcceptanceTest(KvsProcess server) {
    this.server = server;
  }

  private String url(Tenant tenant) {
    return "redis://"
        + tenant.name()
        + ":"
        + tenant.accessKey()
        + "@"
        + server.respAddress().getAddress().getHostAddress()
        + ":"
        + server.respPort();
  }

  private static JsonNode report(ClientLanguage language, String folder, List<String> command)
      throws Exception {
    language.require();
    String report =
        Commands.run(
            Installation.of(folder, language.environment(), List.of(language.installation())),
            language.environment(),
            PATIENCE,
            command);
    return new ObjectMapper().readTree(report);
  }

  @Test
  void frameworksOfPythonDoTheirWork() throws Exception {
    Tenant tenant = server.admin().createTenant("frameworks-python");
    JsonNode report =
        report(
            ClientLanguage.PYTHON,
            "frameworks-python",
            List.of("python3", "probe.py", url(tenant)));
    assertThat(report.path("celery").toString()).isEqualTo("[5,90,55,2]");
    assertThat(report.path("redis-py lock").toString()).isEqualTo("[true,false,true]");
    assertThat(report.path("rq").toString()).isEqualTo("[[0,2,4,6],42,\"failed\",0]");
    assertThat(report.path("django-redis").toString())
        .isEqualTo("[6,{\"views\":[1,2]},null,2,false,true,\"ada\"]");
  }

  @Test
  void frameworksOfNodeDoTheirWork() throws Exception {
    Tenant tenant = server.admin().createTenant("frameworks-node");
    JsonNode report =
        report(ClientLanguage.NODE, "frameworks-node", List.of("node", "probe.js", url(tenant)));
    Map.of(
            "bull", "[1,2,3,4,5]",
            "bee", "[0,2,4,6,8]",
            "limiter", "[\"let in\",\"let in\",\"let in\",\"refused\"]",
            "redlock", "[\"held\",\"released\"]",
            "sessions", "[\"ada\",1,\"gone\"]")
        .forEach(
            (name, expected) ->
                assertThat(report.path(name).toString()).as(name).isEqualTo(expected));
  }

  @Test
  void frameworksOfGoDoTheirWork() throws Exception {
    Tenant tenant = server.admin().createTenant("frameworks-go");
    JsonNode report = report(ClientLanguage.GO, "frameworks-go", List.of("./probe", url(tenant)));
    assertThat(report.path("go-redis").toString())
        .isEqualTo("[true,false,3,1,\"rain\",\"bob\",15]");
    assertThat(report.path("redis_rate").toString()).isEqualTo("[1,1,1,0]");
  }
}
