package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.tenancy.HostPort;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kvs endpoints} */
@Command(
    name = "endpoints",
    description = "Says where other clients reach the member that --url names.",
    mixinStandardHelpOptions = true)
final class EndpointsCommand implements Runnable {
  @Mixin private AdminClient client = new AdminClient();
  @Mixin private View out = new View();

  @Override
  public void run() {
    out.show(() -> client.get("/api/v1/endpoints"), EndpointsCommand::facts);
  }

  private static TextTable facts(JsonNode endpoints) {
    JsonNode hazelcast = endpoints.path("hazelcast");
    TextTable table = TextTable.ofFacts("Redis clients", address(endpoints.path("resp")));
    table.add(
        "Hazelcast clients",
        address(hazelcast) + "  (cluster " + hazelcast.path("clusterName").asText() + ")");
    if (endpoints.has("postgres")) {
      table.add("PostgreSQL clients", address(endpoints.path("postgres")));
    }
    return table;
  }

  private static String address(JsonNode door) {
    return HostPort.of(door.path("host").asText(), door.path("port").asInt());
  }
}
