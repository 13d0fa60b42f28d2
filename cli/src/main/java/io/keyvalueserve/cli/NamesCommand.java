package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code kvs names}: names that complete a word, a line each, for the scripts of {@code kvs
 * completion}. The server has a second; if it does not answer, nothing is said.
 */
@Command(
    name = "names",
    hidden = true,
    description = "Names that begin with a text, for shells.",
    mixinStandardHelpOptions = true)
final class NamesCommand implements Runnable {
  /** A name is a tenant's choice, and what a shell completes with may be run: none with signs. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._/-]+");

  /** The kind of names. */
  enum Kind {
    TENANTS,
    MAPS,
    STORES
  }

  @Parameters(index = "0", paramLabel = "tenants|maps|stores")
  private Kind kind = Kind.TENANTS;

  @Parameters(index = "1", arity = "0..1", defaultValue = "", paramLabel = "TEXT")
  private String begin = "";

  @Option(
      names = "--patience",
      defaultValue = "1000",
      paramLabel = "MILLIS",
      description = "How long the server has. Default: ${DEFAULT-VALUE}")
  private long patience;

  @Mixin private AdminClient client = new AdminClient();
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    Thread asking = Thread.ofVirtual().start(this::tell);
    try {
      boolean _ = asking.join(Duration.ofMillis(patience));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell() {
    try {
      PrintWriter out = spec.commandLine().getOut();
      names().stream()
          .filter(name -> name.startsWith(begin) && PLAIN.matcher(name).matches())
          .forEach(out::println);
      out.flush();
    } catch (Failure e) {
      // no server, or no key: there is nothing to offer
    }
  }

  /**
   * Returns names for completion: tenants with a slash until the tenant is written, then its maps.
   */
  private List<String> names() {
    if (kind == Kind.STORES) {
      return stores();
    }
    int slash = begin.indexOf('/');
    if (kind == Kind.TENANTS || slash < 0) {
      String end = kind == Kind.TENANTS ? "" : "/";
      return tenants().stream().map(tenant -> tenant + end).toList();
    }
    String tenant = begin.substring(0, slash);
    List<String> maps = new ArrayList<>();
    client
        .get(MapPath.allOf(tenant))
        .path("maps")
        .forEach(map -> maps.add(tenant + "/" + map.path("map").asText()));
    return maps;
  }

  private List<String> stores() {
    List<String> stores = new ArrayList<>();
    client
        .get("/api/v1/stores")
        .path("stores")
        .forEach(store -> stores.add(store.path("name").asText()));
    return stores;
  }

  /** All of them for an operator; a tenant knows itself. */
  private List<String> tenants() {
    JsonNode me = client.get("/api/v1/me");
    List<String> tenants = new ArrayList<>();
    if (me.has("tenant")) {
      tenants.add(me.path("tenant").asText());
    } else {
      client
          .get("/api/v1/tenants?limit=1000")
          .path("tenants")
          .forEach(tenant -> tenants.add(tenant.path("tenant").asText()));
    }
    return tenants;
  }
}
