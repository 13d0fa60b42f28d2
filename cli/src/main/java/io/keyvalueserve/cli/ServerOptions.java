package io.keyvalueserve.cli;

import io.keyvalueserve.server.config.ConfigReader;
import io.keyvalueserve.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of {@code kvs serve}: each is a setting of {@code kvs.yaml} and holds over it. */
final class ServerOptions {
  private static final String SECRET_FILE = "KVS_CLUSTER_SECRET_FILE";
  private static final String SECRET_SETTING = "cluster-secret-file";
  private static final String MEMORY = "KVS_MEMORY";
  private static final String MEMORY_SETTING = "memory.size";

  @Option(names = "--config", paramLabel = "FILE", description = "Settings, see docs/kvs.yaml.")
  private @Nullable Path config;

  private final Map<String, String> flags = new LinkedHashMap<>();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keep tenants and their data here through restarts; a directory of its own.")
  void data(String value) {
    flags.put("data", value);
  }

  @Option(
      names = "--durability",
      paramLabel = "POLICY",
      description =
          "With --data, what of a map survives a crash: none, everysec (all but the last second),"
              + " always. Default: everysec")
  void durability(String value) {
    flags.put("durability", value);
  }

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description =
          "data (holds data and serves), or witness (only votes on who serves: two members and a"
              + " witness survive the loss of any one of the three). Default: data")
  void role(String value) {
    flags.put("role", value);
  }

  @Option(
      names = "--split",
      paramLabel = "MODE",
      description =
          "What members do that cannot reach a majority of their cluster: consistent (they refuse"
              + " reads and writes), available (they go on; the sides are merged later), auto"
              + " (consistent from three members on). The same for all. Default: auto")
  void split(String value) {
    flags.put("split", value);
  }

  @Option(
      names = "--restart-policy",
      paramLabel = "POLICY",
      description =
          "If members do not come back: full (do not start), complete (start if no partition is"
              + " without a copy), partial (start with what there is). Default: complete")
  void restartPolicy(String value) {
    flags.put("restart.policy", value);
  }

  @Option(
      names = "--restart-wait",
      paramLabel = "SECONDS",
      description = "How long a start waits for members that held data. Default: 60")
  void restartWait(String value) {
    flags.put("restart.wait-seconds", value);
  }

  @Option(
      names = "--while-loading",
      paramLabel = "HOW",
      description =
          "What requests meet for entries that are not loaded from the disk yet: wait (they are"
              + " read at once), refuse (LOADING), closed (the member is not there before all is"
              + " loaded). Default: wait")
  void whileLoading(String value) {
    flags.put("restart.while-loading", value);
  }

  @Option(
      names = "--load-first",
      paramLabel = "TENANT[/MAP],...",
      description = "Whose entries are loaded before the others.")
  void loadFirst(String value) {
    flags.put("restart.load-first", value);
  }

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Memory for entries, off the Java heap: 4g, 512m, 25%% (or "
              + MEMORY
              + "). Default: half of what is left, 4g at most")
  void memory(String value) {
    flags.put(MEMORY_SETTING, value);
  }

  @Option(
      names = "--spill",
      paramLabel = "DIR",
      description =
          "Where values go when memory is short, those of tenants that are inactive first: a"
              + " directory, or none. Default: the one of --data")
  void spill(String value) {
    flags.put("spill.directory", value);
  }

  @Option(
      names = "--spill-size",
      paramLabel = "SIZE",
      description = "The most that such values take there. Default: 4 times the memory")
  void spillSize(String value) {
    flags.put("spill.size", value);
  }

  @Option(
      names = "--snapshots",
      paramLabel = "ADDRESS",
      description =
          "Where snapshots of tenants are kept: file:/directory, which all members see, or"
              + " s3://bucket/prefix?region=REGION. Default: DIR/snapshots of --data")
  void snapshots(String value) {
    flags.put("snapshots.repository", value);
  }

  @Option(
      names = "--snapshot-access-key",
      paramLabel = "ID",
      description = "The id of the key to an S3-compatible store; with --snapshot-secret-file.")
  void snapshotAccessKey(String value) {
    flags.put("snapshots.access-key", value);
  }

  @Option(
      names = "--snapshot-secret-file",
      paramLabel = "FILE",
      description = "The file with the secret of that key.")
  void snapshotSecretFile(String value) {
    flags.put("snapshots.secret-file", value);
  }

  @Option(
      names = "--hibernate-after",
      paramLabel = "TIME|never",
      description =
          "How long after its last use a tenant leaves memory that has no setting of its own: 90s,"
              + " 12h, 30d. Default: never")
  void hibernateAfter(String value) {
    flags.put("hibernate.after", value);
  }

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Where to listen. Default: 127.0.0.1")
  void bind(String value) {
    flags.put("bind", value);
  }

  @Option(
      names = "--resp-port",
      paramLabel = "PORT",
      description = "For Redis clients. Default: 6379")
  void respPort(String value) {
    flags.put("resp-port", value);
  }

  @Option(
      names = "--postgres-port",
      paramLabel = "PORT",
      description = "For PostgreSQL clients: a port, or off. Default: off")
  void postgresPort(String value) {
    flags.put("postgres-port", value);
  }

  @Option(
      names = "--resp-cpus",
      paramLabel = "CPUS",
      description =
          "Processors that serve Redis clients and do nothing else, such as 0-3 or 0,2: no other"
              + " thread of the process runs there. Linux only. Default: all threads share all")
  void respCpus(String value) {
    flags.put("resp.cpus", value);
  }

  @Option(names = "--http-port", paramLabel = "PORT", description = "For HTTP. Default: 8080")
  void httpPort(String value) {
    flags.put("http-port", value);
  }

  @Option(
      names = "--client-port",
      paramLabel = "PORT",
      description = "For Hazelcast clients. Default: 5701")
  void clientPort(String value) {
    flags.put("client-port", value);
  }

  @Option(names = "--member-port", paramLabel = "PORT", description = "For members. Default: 5801")
  void memberPort(String value) {
    flags.put("member-port", value);
  }

  @Option(
      names = "--join",
      paramLabel = "HOST:PORT,...",
      description = "Member ports of the cluster to join.")
  void join(String value) {
    flags.put("join", value);
  }

  @Option(
      names = "--cluster-secret-file",
      paramLabel = "FILE",
      description = "What all members of the cluster know (or " + SECRET_FILE + ").")
  void clusterSecretFile(String value) {
    flags.put(SECRET_SETTING, value);
  }

  @Option(
      names = "--operator-key-file",
      paramLabel = "FILE",
      description = "The operator's key; made if absent. Default: DIR/operator.key")
  void operatorKeyFile(String value) {
    flags.put("operator-key-file", value);
  }

  @Option(names = "--cluster-name", paramLabel = "NAME", description = "Default: kvs")
  void clusterName(String value) {
    flags.put("cluster-name", value);
  }

  @Option(names = "--member-name", paramLabel = "NAME", description = "This member's name in logs.")
  void memberName(String value) {
    flags.put("member-name", value);
  }

  @Option(
      names = "--backup-count",
      paramLabel = "N",
      description = "Copies of each entry on other members, 0 to 6. Default: 1")
  void backupCount(String value) {
    flags.put("backup-count", value);
  }

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "error, warn, info, debug, trace. Default: info")
  void logLevel(String value) {
    flags.put("log-level", value);
  }

  @Option(
      names = "--dev",
      description = "For trying out: a tenant 'dev' that needs no key, on this machine only.")
  void dev(boolean value) {
    flags.put("dev", String.valueOf(value));
  }

  /** Returns the paths of the settings that were given, with their values. */
  Map<String, String> flags() {
    return flags;
  }

  ServerConfig read() {
    takeFromEnvironment(SECRET_FILE, SECRET_SETTING);
    takeFromEnvironment(MEMORY, MEMORY_SETTING);
    return ConfigReader.read(config, flags);
  }

  private void takeFromEnvironment(String variable, String setting) {
    String value = System.getenv(variable);
    if (value != null) {
      flags.putIfAbsent(setting, value);
    }
  }
}
