package io.keyvalueserve.acceptance;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A language other than Java with an official Hazelcast client, and the probe that is written in
 * it: see {@code src/test/clients/README.md}. The client comes from the language's public registry
 * in the version that the probe's folder pins, into {@code target/clients}, and stays there until
 * that folder changes.
 */
enum ClientLanguage {
  PYTHON(
      "python3 -m pip --version",
      "python3 -m pip install --disable-pip-version-check --no-input --only-binary :all:"
          + " --target packages -r requirements.txt",
      "python3 probe.py"),
  NODE("npm --version", "npm ci --ignore-scripts --no-audit --no-fund", "node probe.js"),
  GO("go version", "go build -o probe .", "./probe");

  private static final Duration PROBE_PATIENCE = Duration.ofMinutes(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The folders of the installed clients; one that is not there was not asked for yet. */
  private static final Map<ClientLanguage, CompletableFuture<Path>> INSTALLED =
      new ConcurrentHashMap<>();

  private final String presence;
  private final String install;
  private final String probe;

  ClientLanguage(String presence, String install, String probe) {
    this.presence = presence;
    this.install = install;
    this.probe = probe;
  }

  /** The kinds of structures that the client offers; its probe must try them all. */
  Set<String> structures() {
    Set<String> all =
        new TreeSet<>(
            List.of(
                "map",
                "queue",
                "set",
                "list",
                "multimap",
                "ringbuffer",
                "replicatedMap",
                "pnCounter",
                "flakeId"));
    all.addAll(
        switch (this) {
          case PYTHON -> Set.of("topic", "reliableTopic", "transactions");
          case NODE -> Set.of("reliableTopic");
          case GO -> Set.of("topic");
        });
    return all;
  }

  /** Begins to install the clients whose languages this machine has, and does not wait for them. */
  static void installAllAtOnce() {
    for (ClientLanguage language : values()) {
      if (language.isPresent()) {
        var _ = language.installing();
      }
    }
  }

  private CompletableFuture<Path> installing() {
    return INSTALLED.computeIfAbsent(
        this,
        language -> CompletableFuture.supplyAsync(language::install, Thread::startVirtualThread));
  }

  /** Returns the command that installs what a folder asks for. */
  String installation() {
    return install;
  }

  /** Returns the variables that its commands need. */
  Map<String, String> environment() {
    return switch (this) {
      case PYTHON -> Map.of("PYTHONPATH", "packages");
      case NODE -> Map.of();
      case GO -> Map.of("GOTOOLCHAIN", "local", "GOFLAGS", "-mod=readonly");
    };
  }

  /**
   * Skips the test that asks if the language's tools are not on this machine; where everything must
   * be tested (the variable {@code CI} is set) that is a failure.
   */
  void require() {
    if (isPresent()) {
      return;
    }
    String reason = this + " is not tried: `" + presence + "` does not answer on this machine";
    if (System.getenv("CI") != null) {
      fail(reason);
    }
    abort(reason);
  }

  /**
   * Runs one phase of the probe.
   *
   * @param tenant whose credentials the probe sends
   * @return the probe's report
   */
  JsonNode probe(InetSocketAddress member, Tenant tenant, String phase, Credentials credentials) {
    Map<String, String> more = new HashMap<>(environment());
    more.put("KVS_ACCESS_KEY", tenant.accessKey());
    more.put("KVS_AUTH", credentials == Credentials.TOKEN ? "token" : "password");
    return probe(member, tenant.name(), phase, more);
  }

  /** Runs one phase of the probe without credentials. */
  JsonNode probeAnonymously(InetSocketAddress member, String marker, String phase) {
    return probe(member, marker, phase, environment());
  }

  private JsonNode probe(
      InetSocketAddress member, String marker, String phase, Map<String, String> more) {
    Path folder = installing().join();
    List<String> command = new ArrayList<>(List.of(probe.split(" ")));
    command.add(member.getAddress().getHostAddress() + ":" + member.getPort());
    command.addAll(List.of(HazelcastClients.CLUSTER, marker, phase));
    String report = Commands.run(folder, more, PROBE_PATIENCE, command);
    try {
      return JSON.readTree(report);
    } catch (JsonProcessingException e) {
      throw new AssertionError("the probe's report is not JSON: " + report, e);
    }
  }

  private boolean isPresent() {
    return Commands.answers(presence.split(" "));
  }

  private Path install() {
    return Installation.of(name().toLowerCase(Locale.ROOT), environment(), List.of(install));
  }

  /** How a probe says who it is. */
  enum Credentials {
    /** Tenant and access key. */
    PASSWORD,
    /** The access key alone, if the client can do that; else as above. */
    TOKEN
  }
}
