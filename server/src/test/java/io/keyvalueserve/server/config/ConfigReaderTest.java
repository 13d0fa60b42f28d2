package io.keyvalueserve.server.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.keyvalueserve.gates.peer.PeerLimits;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.restart.WhileLoading;
import io.keyvalueserve.maps.readable.Extensions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {
  @TempDir private Path directory;

  @Test
  void theExampleFileHasEverySettingWithItsDefaultAndNoOther() throws IOException {
    Path example = Path.of("..", "docs", "kvs.yaml");
    assertThat(ConfigReader.read(example, Map.of())).isEqualTo(ConfigReader.read(null, Map.of()));
    Map<String, String> written = new TreeMap<>();
    flatten("", new YAMLMapper().readTree(Files.readString(example)), written);
    assertThat(written).isEqualTo(new TreeMap<>(SettingRows.defaults()));
  }

  private static void flatten(String path, JsonNode node, Map<String, String> written) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      flatten(
          path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), written);
    }
    if (!node.isObject()) {
      written.put(path, node.asText());
    }
  }

  @Test
  void aFlagHoldsOverTheFile() throws IOException {
    Path file = write("resp-port: 1000\nhttp-port: 2000\nresp:\n  max-value: 1m\n");
    ServerConfig config = ConfigReader.read(file, Map.of("http-port", "3000"));
    assertThat(config.respPort()).isEqualTo(1000);
    assertThat(config.httpPort()).isEqualTo(3000);
    assertThat(config.respMaxValueBytes()).isEqualTo(1024 * 1024);
  }

  @Test
  void processorsAreWrittenAsTheKernelDoes() throws IOException {
    assertThat(ConfigReader.read(null, Map.of()).respCpus()).isEmpty();
    assertThat(ConfigReader.read(write("resp:\n  cpus: 2\n"), Map.of()).respCpus())
        .containsExactly(2);
    assertThat(ConfigReader.read(write("resp:\n  cpus: [0, 2]\n"), Map.of()).respCpus())
        .containsExactly(0, 2);
    assertThat(ConfigReader.read(null, Map.of("resp.cpus", "8-10,1")).respCpus())
        .containsExactly(8, 9, 10, 1);
    for (String wrong : List.of("a", "1,", "3-1", "0-2,1", "-1", "1 2", "12345")) {
      assertThatThrownBy(() -> ConfigReader.read(null, Map.of("resp.cpus", wrong)))
          .as(wrong)
          .isInstanceOfSatisfying(
              ConfigException.class,
              e ->
                  assertThat(e.mistakes())
                      .containsExactly(
                          "resp.cpus: '"
                              + wrong
                              + "' is not a list of processors: write for example 0-3 or 0,2, each"
                              + " once"));
    }
  }

  @Test
  void boundsOfConnectionsFitTheProcessUnlessTheyAreSet() throws IOException {
    ServerConfig usual = ConfigReader.read(null, Map.of());
    assertThat(usual.clientConnections()).isZero();
    assertThat(usual.unauthenticated().limits(1 << 20, 256L << 20))
        .isEqualTo(PeerLimits.fitted(1 << 20, 256L << 20));
    ServerConfig set =
        ConfigReader.read(
            write(
                """
                client:
                  max-connections: 300
                unauthenticated:
                  max-connections: 40
                  seconds-to-authenticate: 3
                """),
            Map.of());
    assertThat(set.clientConnections()).isEqualTo(300);
    PeerLimits limits = set.unauthenticated().limits(1 << 20, 256L << 20);
    assertThat(limits.connections()).isEqualTo(40);
    assertThat(limits.connectionsPerAddress()).isEqualTo(40);
    assertThat(limits.timeToAuthenticate()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void originsAreComparedAsBrowsersWriteThem() throws IOException {
    assertThat(ConfigReader.read(null, Map.of()).http().origins()).isEmpty();
    Path file = write("http:\n  origins: [https://KVS.example.com:443, http://localhost:3000]\n");
    assertThat(ConfigReader.read(file, Map.of()).http().origins())
        .containsExactly("https://kvs.example.com", "http://localhost:3000");
    for (String wrong : List.of("*", "null", "kvs.example.com", "https://kvs.example.com/")) {
      assertThatThrownBy(() -> ConfigReader.read(null, Map.of("http.origins", wrong)))
          .as(wrong)
          .hasMessageContaining("http.origins: '" + wrong + "' is not a list of origins: write");
    }
  }

  @Test
  void snapshotsAreKeptWithTheDataUnlessThereIsARepository() throws IOException {
    assertThat(ConfigReader.read(null, Map.of()).snapshots().repository()).isNull();
    assertThat(ConfigReader.read(null, Map.of("data", "/srv/kvs")).snapshots().repository())
        .isEqualTo("/srv/kvs/snapshots");
    SnapshotSettings settings =
        ConfigReader.read(
                write(
                    """
                    snapshots:
                      repository: s3://bucket?region=eu-west-1
                      access-key: AK
                      secret-file: s3.secret
                    """),
                Map.of("data", "/srv/kvs"))
            .snapshots();
    assertThat(settings.repository()).isEqualTo("s3://bucket?region=eu-west-1");
    assertThat(settings.accessKey()).isEqualTo("AK");
    assertThat(settings.secretFile()).isNotNull().isAbsolute();
    for (Map<String, String> wrong :
        List.of(
            Map.of("snapshots.repository", "backups"),
            Map.of("snapshots.repository", "s3://bucket"),
            Map.of("snapshots.repository", "s3://bucket?region=eu-west-1"),
            Map.of("snapshots.access-key", "AK"))) {
      assertThatThrownBy(() -> ConfigReader.read(null, wrong))
          .as(wrong.toString())
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("snapshots");
    }
  }

  @Test
  void aWebhookHasAUrlAndASecret() throws IOException {
    ServerConfig config =
        ConfigReader.read(
            write("webhook:\n  url: https://ops.example.com/kvs\n  secret-file: hook.secret\n"),
            Map.of());
    assertThat(config.webhookUrl()).isEqualTo("https://ops.example.com/kvs");
    assertThat(config.webhookSecretFile()).isNotNull().isAbsolute();
    String plain = "webhook:\n  url: http://ops.example.com/\n  secret-file: hook.secret\n";
    Path http = write(plain);
    assertThatThrownBy(() -> ConfigReader.read(http, Map.of()))
        .hasMessageContaining("webhook.url: is http, which")
        .hasMessageContaining("webhook.allow-http");
    assertThat(ConfigReader.read(write(plain + "  allow-http: true\n"), Map.of()).webhookUrl())
        .isEqualTo("http://ops.example.com/");
    Path wrong = write("webhook:\n  url: ftp://ops.example.com/\n");
    assertThatThrownBy(() -> ConfigReader.read(wrong, Map.of()))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.mistakes())
                    .containsExactly(
                        "webhook: needs both url and secret-file, or neither",
                        "webhook.url: is wrong; it is an absolute URL of http or https with a host"
                            + " and no user, of up to 2000 characters"));
  }

  @Test
  void tellsEveryMistakeAtOnceWithItsPathAndRemedy() throws IOException {
    Path file =
        write(
            "resp-port: 70000\nresp-prot: 1\nresp:\n  max-value: lots\n  transport: udp\ndev: maybe\n");
    assertThatThrownBy(() -> ConfigReader.read(file, Map.of("join", "nowhere")))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.mistakes())
                    .anySatisfy(
                        m -> assertThat(m).contains("resp-port: '70000' is not a port: use 0"))
                    .anySatisfy(
                        m ->
                            assertThat(m)
                                .contains("resp-prot: no such setting; did you mean resp-port?"))
                    .anySatisfy(
                        m -> assertThat(m).startsWith("resp.max-value: 'lots' is not a size"))
                    .anySatisfy(m -> assertThat(m).contains("one of auto, io_uring, epoll, nio"))
                    .anySatisfy(m -> assertThat(m).startsWith("dev: 'maybe'"))
                    .anySatisfy(m -> assertThat(m).contains("join: 'nowhere' is not a list"))
                    .hasSize(6));
  }

  @Test
  void readsWhatIsLoadedFirst() {
    Map<String, String> flags = new HashMap<>();
    flags.put("data", directory.toString());
    flags.put("restart.while-loading", "refuse");
    flags.put("restart.load-first", "acme, globex/orders");
    flags.put("restart.keys-first-below-mib", "12");
    flags.put("restart.scrub-hours", "0");
    RestartConfig restart = requireNonNull(ConfigReader.read(null, flags).restart());
    assertThat(restart.whileLoading()).isEqualTo(WhileLoading.REFUSE);
    assertThat(restart.keysFirstBelowBytes()).isEqualTo(12L << 20);
    assertThat(restart.scrubEach()).isEqualTo(Duration.ZERO);
    assertThat(restart.first()).accepts("acme/any", "acme/orders", "globex/orders");
    assertThat(restart.first()).rejects("globex/others", "acmes/orders", "__kvs.tenants");

    flags.put("restart.load-first", "acme/");
    flags.put("restart.while-loading", "maybe");
    assertThatThrownBy(() -> ConfigReader.read(null, flags))
        .hasMessageContaining("write TENANT or TENANT/MAP")
        .hasMessageContaining("one of wait, refuse, closed");
  }

  @Test
  void readsTheOperatorsCode() throws IOException {
    Path file =
        write(
            """
            extensions:
              class-path: [/srv/a.jar]
              classes: [com.acme.*, com.acme.One]
              factories: [1001=com.acme.Factory]
            """);
    assertThat(ConfigReader.read(file, Map.of()).extensions())
        .isEqualTo(
            new Extensions(
                List.of(Path.of("/srv/a.jar")),
                List.of("com.acme.*", "com.acme.One"),
                Map.of(1001, "com.acme.Factory")));
    assertThatThrownBy(
            () ->
                ConfigReader.read(
                    null, Map.of("extensions.classes", "*", "extensions.factories", "Factory")))
        .hasMessageContaining("extensions.classes: '*' is not a list of classes")
        .hasMessageContaining("1001=com.acme.Factory");
  }

  @Test
  void seesWhatDoesNotGoTogether() {
    assertThatThrownBy(() -> ConfigReader.read(null, Map.of("dev", "true", "bind", "0.0.0.0")))
        .hasMessageContaining("needs a loopback address");
    assertThatThrownBy(() -> ConfigReader.read(null, Map.of("join", "a:1,b:2")))
        .hasMessageContaining("cluster-secret-file");
  }

  @Test
  void aWitnessNeedsAClusterInWhichMajoritiesDecide() {
    assertThat(ConfigReader.read(null, Map.of()).role()).isEqualTo(Role.DATA);
    assertThatThrownBy(
            () -> ConfigReader.read(null, Map.of("role", "witness", "split", "available")))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.mistakes())
                    .satisfiesExactly(
                        join -> assertThat(join).startsWith("role: ").contains("--join"),
                        split ->
                            assertThat(split).startsWith("role: ").contains("--split consistent")));
    ServerConfig witness =
        ConfigReader.read(
            null,
            Map.of(
                "role",
                "witness",
                "join",
                "a:1,b:2",
                "cluster-secret-file",
                "secret",
                "data",
                "/data",
                "memory.size",
                "4g"));
    assertThat(witness.role()).isEqualTo(Role.WITNESS);
    assertThat(witness.memory().heap().capacityBytes()).isLessThan(1L << 30);
    assertThat(witness.reclaim().spillDirectory()).isNull();
  }

  @Test
  void saysWhenTheFileIsNoYaml() throws IOException {
    Path file = write("a: [1\n");
    assertThatThrownBy(() -> ConfigReader.read(file, Map.of())).hasMessageContaining("is not YAML");
    assertThatThrownBy(() -> ConfigReader.read(directory.resolve("none.yaml"), Map.of()))
        .hasMessageContaining("cannot be read");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("kvs.yaml"), text);
  }
}
