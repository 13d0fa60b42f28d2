package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.server.config.ConfigReader;
import io.keyvalueserve.server.config.ServerConfig;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A witness, which leads its cluster, beside servers in the same process. */
class WitnessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The common pool may have a single thread, and these wait for each other. */
  private static final Executor OWN_THREAD = task -> Thread.ofPlatform().daemon().start(task);

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path root;

  private final int witnessPort = freePort();
  private final int memberPort = freePort();

  /** Below those that the kernel gives to outgoing connections, of this process or another. */
  private static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // another has it
      }
    }
  }

  private synchronized ServerConfig config(String name, int port, Map<String, String> more)
      throws IOException {
    Path secret = root.resolve("secret");
    if (!Files.exists(secret)) {
      Files.createFile(
          secret,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(secret, "a secret of twenty characters");
    }
    Map<String, String> flags = new HashMap<>();
    for (String door : List.of("resp-port", "http-port", "client-port")) {
      flags.put(door, "0");
    }
    flags.put("member-port", Integer.toString(port));
    flags.put("log-level", "warn");
    flags.put("memory.size", "64m");
    flags.put("data", root.resolve(name).toString());
    flags.put("cluster-secret-file", secret.toString());
    flags.put("join", "127.0.0.1:" + witnessPort + ",127.0.0.1:" + memberPort);
    flags.putAll(more);
    return ConfigReader.read(null, flags);
  }

  private Witness witness() throws IOException {
    return Witness.start(config("witness", witnessPort, Map.of("role", "witness")));
  }

  /** With one member it begins a cluster: that one holds everything. */
  @Test
  void aWitnessThatLeadsTellsOfItsClusterAndServesNobody() throws Exception {
    CompletableFuture<Witness> starting =
        CompletableFuture.supplyAsync(this::startWitness, OWN_THREAD);
    try (Server server = startBeside(starting);
        Witness witness = get(starting)) {
      assertThat(server.describe()).noneMatch(line -> line.contains("acknowledges can be lost"));
      await().atMost(PATIENCE).until(() -> witness.cluster().safety().safe());
      assertThat(witness.cluster().members())
          .extracting(MemberInfo::role)
          .containsExactlyInAnyOrder(Role.WITNESS, Role.DATA);
      String key = Files.readString(root.resolve("witness/operator.key")).strip();
      JsonNode cluster = JSON.readTree(ask(witness, "/api/v1/cluster", key).body());
      assertThat(cluster.path("safe").asBoolean()).isTrue();
      assertThat(cluster.at("/lost/count").asInt(-1)).isZero();
      assertThat(cluster.at("/lost/partitions").isArray()).isTrue();
      assertThat(cluster.path("members")).hasSize(2);
      assertThat(cluster.path("members").findValuesAsText("role"))
          .containsExactlyInAnyOrder("witness", "data");
      assertThat(ask(witness, "/api/v1/cluster", "").statusCode()).isEqualTo(401);
      assertThat(ask(witness, "/metrics", key).body())
          .contains("kvs_quorum_voters", "kvs_member_serves 1.0");
      assertThat(ask(witness, "/health/ready", "").statusCode()).isEqualTo(200);
      assertThat(ask(witness, "/api/v1/tenants", key).statusCode()).isEqualTo(421);
      assertThat(JSON.readTree(ask(witness, "/", "").body()).path("role").asText())
          .isEqualTo("witness");

      String ofServer = Files.readString(root.resolve("data/operator.key")).strip();
      assertThat(ask(witness, "/api/v1/cluster", ofServer).statusCode())
          .as("a key that another member has brought")
          .isEqualTo(200);

      String tenant = server.createTenant("acme");
      assertThat(tenant).isNotBlank();
      MemberInfo holdsNothing =
          witness.cluster().members().stream()
              .filter(member -> member.role() == Role.WITNESS)
              .findFirst()
              .orElseThrow();
      assertThatThrownBy(
              () ->
                  server
                      .administration()
                      .reserving()
                      .reserveMember(
                          holdsNothing.address(), new TenantName("acme"), Actor.Other.MEMBER))
          .isInstanceOf(CatalogueException.class);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(root.resolve("witness/quorum")).exists();
                assertThat(root.resolve("witness/partitions")).exists();
              });
      assertThat(root.resolve("witness/log")).doesNotExist();
    }
  }

  @Test
  void twoMembersAreToldWhatTheyHaveNotChosen() throws Exception {
    ServerConfig other = config("witness", witnessPort, Map.of());
    CompletableFuture<Server> starting =
        CompletableFuture.supplyAsync(() -> Server.start(other), OWN_THREAD);
    try (Server server = startBeside(starting);
        Server second = get(starting)) {
      for (Server each : List.of(server, second)) {
        assertThat(each.describe())
            .filteredOn(line -> line.contains("--role witness"))
            .singleElement()
            .asString()
            .contains("acknowledges can be lost", "--split consistent");
      }
    }
  }

  @Test
  void aDirectoryWithEntriesIsNoWitnesss() throws Exception {
    Files.createDirectories(root.resolve("witness/log/chunks"));
    assertThatThrownBy(this::witness)
        .isInstanceOf(StartException.class)
        .hasMessageContaining("--role data");
  }

  private Witness startWitness() {
    try {
      return witness();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts a server, which waits for the other; fails if the other does. */
  private Server startBeside(CompletableFuture<?> other) throws IOException, ExecutionException {
    ServerConfig config = config("data", memberPort, Map.of());
    CompletableFuture<Server> server =
        CompletableFuture.supplyAsync(() -> Server.start(config), OWN_THREAD);
    CompletableFuture<Server> either = server.copy();
    CompletableFuture<Void> _ =
        other.handle(
            (_, failure) -> {
              if (failure != null) {
                either.completeExceptionally(failure);
              }
              return null;
            });
    return get(either);
  }

  private static <T> T get(CompletableFuture<T> future) throws ExecutionException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static HttpResponse<String> ask(Witness witness, String path, String key)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + witness.httpPort() + path));
    if (!key.isEmpty()) {
      request.header("Authorization", "Bearer " + key);
    }
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}
