package io.keyvalueserve.server.config;

import io.keyvalueserve.grid.ClientLimits;
import io.keyvalueserve.grid.WaitingLimit;
import io.keyvalueserve.grid.space.FastPath;
import java.util.Arrays;
import java.util.Optional;

/** A setting: its path in {@code kvs.yaml}, its default as text, and what values it takes. */
enum Setting {
  CLUSTER_NAME("cluster-name", "kvs", Values.name()),
  MEMBER_NAME("member-name", "", Values.nameOrEmpty()),
  BIND("bind", "127.0.0.1", Values.name()),
  RESP_PORT("resp-port", "6379", Values.port()),
  HTTP_PORT("http-port", "8080", Values.port()),
  CLIENT_PORT("client-port", "5701", Values.port()),
  MEMBER_PORT("member-port", "5801", Values.port()),
  POSTGRES_PORT("postgres-port", "off", Values.portOrOff()),
  JOIN("join", "", Values.addresses()),
  ROLE("role", "data", Values.oneOf("data", "witness")),
  SPLIT("split", "auto", Values.oneOf("auto", "consistent", "available")),
  DETECTION_LEASE_MILLIS("detection.lease-millis", "1000", Values.integer(100, 60_000)),
  DETECTION_SILENCE_MILLIS("detection.silence-millis", "4000", Values.integer(500, 600_000)),
  DATA("data", "", Values.text()),
  DURABILITY("durability", "everysec", Values.oneOf("none", "everysec", "always")),
  RESTART_POLICY("restart.policy", "complete", Values.oneOf("full", "complete", "partial")),
  RESTART_WAIT_SECONDS("restart.wait-seconds", "60", Values.integer(1, 86_400)),
  RESTART_CHUNK_MIB("restart.chunk-mib", "64", Values.integer(1, 1024)),
  RESTART_WHILE_LOADING("restart.while-loading", "wait", Values.oneOf("wait", "refuse", "closed")),
  RESTART_LOAD_FIRST("restart.load-first", "", Values.tenantsAndMaps()),
  RESTART_KEYS_FIRST_BELOW_MIB(
      "restart.keys-first-below-mib", "256", Values.integer(0, 1_000_000_000)),
  RESTART_SCRUB_HOURS("restart.scrub-hours", "168", Values.integer(0, 87_600)),
  SPILL_DIRECTORY("spill.directory", "auto", Values.text()),
  SPILL_SIZE("spill.size", "auto", Values.bytesOrAuto(1 << 20, 1L << 44)),
  RECLAIM_HIGH_PERCENT("reclaim.high-percent", "95", Values.integer(1, 100)),
  RECLAIM_LOW_PERCENT("reclaim.low-percent", "93", Values.integer(1, 100)),
  RECLAIM_INACTIVE_SECONDS("reclaim.inactive-after-seconds", "600", Values.integer(1, 31_536_000)),
  RECLAIM_LESS_ACTIVE_PERCENT("reclaim.less-active-percent", "20", Values.integer(0, 100)),
  SNAPSHOTS_REPOSITORY("snapshots.repository", "", Values.text()),
  SNAPSHOTS_ACCESS_KEY("snapshots.access-key", "", Values.text()),
  SNAPSHOTS_SECRET_FILE("snapshots.secret-file", "", Values.text()),
  HIBERNATE_AFTER("hibernate.after", "never", Values.durationOrNever()),
  USAGE_INTERVAL_SECONDS(
      "usage.interval-seconds",
      "60",
      Values.oneOf("1", "2", "3", "4", "5", "6", "10", "12", "15", "20", "30", "60")),
  WEBHOOK_URL("webhook.url", "", Values.text()),
  WEBHOOK_SECRET_FILE("webhook.secret-file", "", Values.text()),
  WEBHOOK_ALLOW_HTTP("webhook.allow-http", "false", Values.flag()),
  HTTP_MAX_CONNECTIONS("http.max-connections", "auto", Values.integerOrAuto(2, 1_000_000)),
  HTTP_ORIGINS("http.origins", "", Values.origins()),
  DEV("dev", "false", Values.flag()),
  CLUSTER_SECRET_FILE("cluster-secret-file", "", Values.text()),
  OPERATOR_KEY_FILE("operator-key-file", "", Values.text()),
  BACKUP_COUNT("backup-count", "1", Values.integer(0, 6)),
  PARTITION_COUNT("partition-count", "271", Values.integer(1, 65_535)),
  MEMORY_SIZE("memory.size", "auto", Values.poolSizeOrAuto(MemoryReader.LEAST_POOL)),
  EXTENSIONS_CLASS_PATH("extensions.class-path", "", Values.text()),
  EXTENSIONS_CLASSES("extensions.classes", "", Values.classes()),
  EXTENSIONS_FACTORIES("extensions.factories", "", Values.factories()),
  FAST_PATH_DIRECT("fast-path.direct", "true", Values.flag()),
  FAST_PATH_COALESCING("fast-path.coalescing", "true", Values.flag()),
  FAST_PATH_CHANNELS(
      "fast-path.channels",
      Integer.toString(FastPath.ON.channels()),
      Values.integer(1, FastPath.MOST_CHANNELS)),
  CLIENT_MAX_WAITING_REQUESTS(
      "client.max-waiting-requests",
      Integer.toString(WaitingLimit.USUAL.requests()),
      Values.integer(1, 1_000_000)),
  CLIENT_MAX_WAITING("client.max-waiting", "32m", Values.bytes(1024, 1L << 40)),
  CLIENT_MAX_CONNECTIONS("client.max-connections", "auto", Values.integerOrAuto(2, 1_000_000)),
  UNAUTHENTICATED_MAX_CONNECTIONS(
      "unauthenticated.max-connections", "auto", Values.integerOrAuto(16, 1_000_000)),
  UNAUTHENTICATED_SECONDS("unauthenticated.seconds-to-authenticate", "10", Values.integer(1, 300)),
  CLIENT_MAX_UNREAD("client.max-unread", "auto", Values.bytesOrAuto(4L << 20, 1L << 40)),
  CLIENT_MAX_TRANSACTIONS(
      "client.max-transactions",
      Integer.toString(ClientLimits.USUAL_TRANSACTIONS),
      Values.integer(1, 1_000_000)),
  RESP_MAX_VALUE("resp.max-value", "auto", Values.bytesOrAuto(1024, 512L * 1024 * 1024)),
  RESP_MAX_COLLECTION("resp.max-collection", "none", Values.bytesOrNone(1024, 1L << 30)),
  RESP_MAX_CLIENTS("resp.max-clients", "20000", Values.integer(1, 1_000_000)),
  RESP_READ_AHEAD("resp.read-ahead", "16m", Values.bytes(128 * 1024, 1L << 30)),
  POSTGRES_MAX_CLIENTS("postgres.max-clients", "1000", Values.integer(1, 1_000_000)),
  RESP_CPUS("resp.cpus", "", Values.processors()),
  RESP_TRANSPORT("resp.transport", "auto", Values.oneOf("auto", "io_uring", "epoll", "nio")),
  SCRIPTS_MAX_STEPS("scripts.max-steps", "10000000", Values.integer(1000, 1_000_000_000)),
  SCRIPTS_MAX_MEMORY("scripts.max-memory", "16m", Values.bytes(64 << 10, 1L << 30)),
  SCRIPTS_MAX_MILLIS("scripts.max-millis", "5000", Values.integer(10, 60_000)),
  SCRIPTS_MAX_SOURCE("scripts.max-source", "256k", Values.bytes(1024, 4L << 20)),
  LOG_LEVEL("log-level", "info", Values.oneOf("error", "warn", "info", "debug", "trace"));

  private final String path;
  private final String defaultText;
  private final Values values;

  Setting(String path, String defaultText, Values values) {
    this.path = path;
    this.defaultText = defaultText;
    this.values = values;
  }

  static Optional<Setting> ofPath(String path) {
    return Arrays.stream(values()).filter(setting -> setting.path.equals(path)).findFirst();
  }

  String path() {
    return path;
  }

  String defaultText() {
    return defaultText;
  }

  /** Returns the fault of a value, if it has one. */
  Optional<String> mistakeIn(String text) {
    return values.accepts(text)
        ? Optional.empty()
        : Optional.of("'" + text + "' is not " + values.described());
  }
}
