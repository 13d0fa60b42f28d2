package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kvs whoami} */
@Command(
    name = "whoami",
    description = "Says whose key the commands show: the operator's, or which tenant's.",
    mixinStandardHelpOptions = true)
final class WhoAmICommand implements Runnable {
  @Mixin private AdminClient client = new AdminClient();
  @Mixin private Output out = new Output();

  @Override
  public void run() {
    JsonNode me = client.get("/api/v1/me");
    out.print(
        me,
        me.has("tenant")
            ? "tenant " + me.path("tenant").asText() + ", access key " + me.path("keyId").asText()
            : me.path("role").asText());
  }
}
