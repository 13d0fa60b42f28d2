package io.keyvalueserve.cli;

import io.keyvalueserve.server.Server;
import io.keyvalueserve.server.config.ConfigReader;
import io.keyvalueserve.server.config.ServerConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/**
 * The run that a JVM should have seen before its start-up cache is written. A member starts,
 * writes, ends, and comes back with its data; once as from a small log, then as from a large one.
 * All members are in the JVM that runs this.
 */
@Command(
    name = "train",
    hidden = true,
    description = "Starts a member, fills it, and starts it again: to train the start-up cache.")
final class TrainCommand implements Runnable {
  private static final int ENTRIES = 60_000;
  private static final int BATCH = 64;
  private static final int VALUE_BYTES = 500;

  /** Small, so that there are chunks that have an index. */
  private static final String CHUNK_MIB = "1";

  private static final List<String> CLIENT_COMMANDS =
      List.of(
          "tenant create trained",
          "tenant list",
          "quota list",
          "quota set trained --operations 10k",
          "top --once",
          "bill show trained",
          "health");

  private static final String KEYS_FIRST = "256";
  private static final String KEYS_LATER = "0";

  @Override
  public void run() {
    try (TemporaryDirectory data = new TemporaryDirectory("kvs-train")) {
      try (Server server = Server.start(config(data.path(), KEYS_FIRST))) {
        fill(server);
        ask(server);
      }
      for (String keys : List.of(KEYS_FIRST, KEYS_LATER)) {
        try (Server server = Server.start(config(data.path(), keys))) {
          read(server);
        }
      }
    }
  }

  private static ServerConfig config(Path data, String keysFirstBelowMib) {
    return ConfigReader.read(
        null,
        Map.of(
            "data", data.toString(),
            "restart.keys-first-below-mib", keysFirstBelowMib,
            "restart.chunk-mib", CHUNK_MIB,
            "dev", "true",
            "memory.size", "256m",
            "log-level", "warn",
            "resp-port", "0",
            "http-port", "0",
            "client-port", "0",
            "member-port", "0"));
  }

  private static Jedis connect(Server server) {
    return new Jedis(
        new HostAndPort("127.0.0.1", server.respPort()),
        DefaultJedisClientConfig.builder().autoNegotiateProtocol(false).build());
  }

  private static void fill(Server server) {
    byte[] value = new byte[VALUE_BYTES];
    Random random = new Random(ENTRIES);
    try (Jedis jedis = connect(server)) {
      for (int i = 0; i < ENTRIES; i += BATCH) {
        try (Pipeline pipeline = jedis.pipelined()) {
          for (int j = i; j < i + BATCH; j++) {
            random.nextBytes(value);
            pipeline.set(key(j), Arrays.copyOf(value, VALUE_BYTES / 2 + j % (VALUE_BYTES / 2)));
          }
        }
      }
    }
  }

  /** Runs commands of clients, so that they start fast too; they print nothing. */
  private static void ask(Server server) {
    String url = "http://127.0.0.1:" + server.httpPort();
    String key = String.valueOf(server.operatorKey());
    for (String command : CLIENT_COMMANDS) {
      List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
      words.addAll(List.of("--url", url, "--key-file", key));
      StringWriter err = new StringWriter();
      int code =
          KvsCommand.commandLine()
              .setOut(new PrintWriter(Writer.nullWriter()))
              .setErr(new PrintWriter(err))
              .execute(words.toArray(String[]::new));
      if (code != ExitCode.OK) {
        throw new IllegalStateException("kvs " + command + " failed: " + err);
      }
    }
  }

  private static void read(Server server) {
    try (Jedis jedis = connect(server)) {
      for (int i = 0; i < ENTRIES; i += BATCH) {
        if (jedis.get(key(i)) == null) {
          throw new IllegalStateException("the member came back without an entry: " + i);
        }
      }
    }
  }

  private static byte[] key(int i) {
    return ("key:" + i).getBytes(StandardCharsets.UTF_8);
  }
}
