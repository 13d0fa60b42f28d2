package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import io.keyvalueserve.server.config.ConfigReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** Two members that listen on an address of IPv6 serve Redis, Hazelcast and HTTP clients there. */
class Ipv6Test {
  private static final Pattern MEMBERS =
      Pattern.compile("members +(\\d+) {2}\\(this one: (\\[::1]:\\d+)\\)");

  private static Server start(Path secret, String join) {
    Map<String, String> flags = new HashMap<>();
    for (String port : List.of("resp-port", "http-port", "client-port", "member-port")) {
      flags.put(port, "0");
    }
    flags.put("bind", "::1");
    flags.put("dev", "true");
    flags.put("log-level", "warn");
    flags.put("memory.size", "64m");
    flags.put("cluster-secret-file", secret.toString());
    flags.put("join", join);
    return Server.start(ConfigReader.read(null, flags));
  }

  private static Matcher members(Server server) {
    Matcher matcher = MEMBERS.matcher(String.join("\n", server.describe()));
    assertThat(matcher.find()).as("%s", server.describe()).isTrue();
    return matcher;
  }

  private static boolean hasIpv6() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("::1"))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void everyDoorIsThere(@TempDir Path directory) throws IOException, InterruptedException {
    Assumptions.assumeTrue(hasIpv6(), "this machine has no IPv6");
    Path secret =
        Files.writeString(directory.resolve("secret"), "a secret of 32 characters or more");
    try (Server first = start(secret, "");
        Server second = start(secret, members(first).group(2))) {
      assertThat(members(second).group(1)).isEqualTo("2");
      try (Jedis jedis = new Jedis(new HostAndPort("::1", second.respPort()))) {
        assertThat(jedis.set("k", "v")).isEqualTo("OK");
        assertThat(jedis.clientList()).contains("addr=[");
      }
      assertThat(second.describe()).anyMatch(line -> line.contains("http://[::1]:"));
      try (HttpClient http = HttpClient.newHttpClient()) {
        assertThat(get(http, first, "/health/ready").statusCode()).isEqualTo(200);
        assertThat(get(http, first, "/api/v1/tenants/dev/maps/default/entries/k").body())
            .isEqualTo("v");
        assertThat(get(http, first, "/api/v1/cluster").body()).contains("[0:0:0:0:0:0:0:1]:");
      }
      ClientConfig config = new ClientConfig().setClusterName("kvs");
      config.getNetworkConfig().addAddress("[::1]:" + first.clientPort());
      HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
      try {
        assertThat(client.getMap("default").size()).isEqualTo(1);
      } finally {
        client.shutdown();
      }
    }
  }

  private static HttpResponse<String> get(HttpClient http, Server server, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://[::1]:" + server.httpPort() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
