package io.keyvalueserve.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.keyvalueserve.billing.spending.Hook;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.grid.ClientLimits;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.grid.UnreadLimit;
import io.keyvalueserve.grid.WaitingLimit;
import io.keyvalueserve.grid.quorum.QuorumConfig;
import io.keyvalueserve.grid.quorum.QuorumTimes;
import io.keyvalueserve.grid.quorum.SplitMode;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.restart.RestartPolicy;
import io.keyvalueserve.grid.restart.WhileLoading;
import io.keyvalueserve.grid.space.FastPath;
import io.keyvalueserve.journal.FileTrouble;
import io.keyvalueserve.maps.readable.Extensions;
import io.keyvalueserve.maps.reclaim.ReclaimSetup;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.Machine;
import io.keyvalueserve.resp.script.ScriptLimits;
import io.keyvalueserve.snapshots.RepositoryAddress;
import io.keyvalueserve.snapshots.SnapshotException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link ServerConfig} of {@code kvs.yaml} and the flags over it. The whole is checked, and
 * all mistakes are told at once.
 */
public final class ConfigReader {
  /**
   * The part of the Java heap that a value may have unless it is configured; the next constant is
   * the part that it may have at all.
   */
  private static final int PART_OF_HEAP = 16;

  private static final int LARGEST_PART_OF_HEAP = 4;
  private static final long LEAST_AUTO_VALUE = 1L << 20;
  private static final long MOST_AUTO_VALUE = 64L << 20;

  private static final int BEATS_PER_LEASE = 5;
  private static final MemoryPlan NO_MEMORY =
      new MemoryPlan(
          HeapConfig.dram(MemoryReader.LEAST_POOL), "a witness holds no entries", List.of());

  private static final String AUTO = "auto";
  private static final String NONE = "none";
  private static final String SNAPSHOTS = "snapshots";

  private ConfigReader() {}

  /**
   * Reads a configuration.
   *
   * @param file the file, or null for none
   * @param flags paths and values that hold over the file
   * @throws ConfigException with every mistake
   */
  public static ServerConfig read(@Nullable Path file, Map<String, String> flags) {
    return read(file, flags, Room.ofProcess());
  }

  /** Reads a configuration for a process that has so much room. */
  static ServerConfig read(@Nullable Path file, Map<String, String> flags, Room room) {
    List<String> mistakes = new ArrayList<>();
    Map<String, String> given = new LinkedHashMap<>();
    JsonNode root = file == null ? NullNode.getInstance() : readFile(file, mistakes);
    JsonNode tiers = takeTiers(root);
    flatten("", root, given, mistakes);
    given.putAll(flags);
    EnumMap<Setting, String> settings = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      settings.put(setting, setting.defaultText());
    }
    given.forEach(
        (path, value) ->
            Setting.ofPath(path)
                .ifPresentOrElse(
                    setting -> settings.put(setting, value),
                    () -> mistakes.add(path + ": no such setting" + suggestion(path))));
    settings.forEach(
        (setting, text) ->
            setting
                .mistakeIn(text)
                .ifPresent(mistake -> mistakes.add(setting.path() + ": " + mistake)));
    if (mistakes.isEmpty()) {
      checkTogether(settings, mistakes);
      checkMostValue(settings, room, mistakes);
      checkDetection(settings, mistakes);
    }
    MemoryPlan memory =
        isWitness(settings)
            ? NO_MEMORY
            : new MemoryReader(room, mistakes).read(text(settings, Setting.MEMORY_SIZE), tiers);
    if (memory == null || !mistakes.isEmpty()) {
      throw new ConfigException(mistakes);
    }
    return build(settings, memory, room);
  }

  private static boolean isWitness(Map<Setting, String> settings) {
    return role(settings) == Role.WITNESS;
  }

  private static Role role(Map<Setting, String> settings) {
    return text(settings, Setting.ROLE).equals(Role.WITNESS.text()) ? Role.WITNESS : Role.DATA;
  }

  private static void checkDetection(Map<Setting, String> settings, List<String> mistakes) {
    int lease = integer(settings, Setting.DETECTION_LEASE_MILLIS);
    if (integer(settings, Setting.DETECTION_SILENCE_MILLIS) <= lease) {
      mistakes.add(
          Setting.DETECTION_SILENCE_MILLIS.path()
              + ": it must be more than "
              + Setting.DETECTION_LEASE_MILLIS.path()
              + ", which is "
              + lease);
    }
  }

  private static JsonNode readFile(Path file, List<String> mistakes) {
    try {
      JsonNode root = new YAMLMapper().readTree(Files.readString(file));
      if (root == null || root.isMissingNode() || root.isNull()) {
        return NullNode.getInstance();
      }
      if (root.isObject()) {
        return root;
      }
      mistakes.add(file + ": holds no settings; write NAME: VALUE lines");
    } catch (JsonProcessingException e) {
      mistakes.add(file + ": is not YAML: " + e.getOriginalMessage());
    } catch (IOException e) {
      mistakes.add(
          "--config: "
              + file
              + " cannot be read: "
              + FileTrouble.of(e)
              + "; give a file of settings, or leave --config out");
    }
    return NullNode.getInstance();
  }

  /** Takes out the one setting that is more than a text or a list of texts. */
  private static JsonNode takeTiers(JsonNode root) {
    return root.path("memory") instanceof ObjectNode memory && memory.has("tiers")
        ? memory.remove("tiers")
        : NullNode.getInstance();
  }

  private static void flatten(
      String path, JsonNode node, Map<String, String> given, List<String> mistakes) {
    if (node.isObject()) {
      String prefix = path.isEmpty() ? "" : path + ".";
      node.properties()
          .forEach(field -> flatten(prefix + field.getKey(), field.getValue(), given, mistakes));
    } else if (node.isArray()) {
      List<String> items = new ArrayList<>();
      node.forEach(item -> items.add(item.asText()));
      given.put(path, String.join(",", items));
    } else if (!node.isNull()) {
      given.put(path, node.asText());
    }
  }

  private static void checkTogether(Map<Setting, String> settings, List<String> mistakes) {
    String bind = text(settings, Setting.BIND);
    if (isTrue(settings, Setting.DEV) && !isLoopback(bind)) {
      mistakes.add(
          "dev: lets clients in without a key, so it needs a loopback address: bind is "
              + bind
              + ", use 127.0.0.1");
    }
    if (!text(settings, Setting.JOIN).isEmpty()
        && text(settings, Setting.CLUSTER_SECRET_FILE).isEmpty()) {
      mistakes.add(
          "join: needs the secret of the cluster to join: give its file as cluster-secret-file");
    }
    checkWitness(settings, mistakes);
    int backups = Integer.parseInt(text(settings, Setting.BACKUP_COUNT));
    if (backups == 0 && !text(settings, Setting.JOIN).isEmpty()) {
      mistakes.add("backup-count: 0 loses data when a member of a cluster ends: use 1 or more");
    }
    checkWebhook(settings, mistakes);
    checkSnapshots(settings, mistakes);
    int high = integer(settings, Setting.RECLAIM_HIGH_PERCENT);
    int low = integer(settings, Setting.RECLAIM_LOW_PERCENT);
    if (low > high) {
      mistakes.add(
          "reclaim.low-percent: memory is taken from reclaim.high-percent, which is "
              + high
              + ", down to this: use "
              + high
              + " or less, not "
              + low);
    }
  }

  private static void checkWitness(Map<Setting, String> settings, List<String> mistakes) {
    if (!isWitness(settings)) {
      return;
    }
    if (text(settings, Setting.JOIN).isEmpty()) {
      mistakes.add(
          "role: a witness votes in a cluster of others: give the member ports of the members that"
              + " hold data as join (--join HOST:PORT,HOST:PORT), or leave out role");
    }
    if (text(settings, Setting.SPLIT).equals("available")) {
      mistakes.add(
          "role: a witness is of no use where members need no majority: set split to auto or"
              + " consistent on all members (--split consistent), or leave out the witness");
    }
  }

  private static void checkWebhook(Map<Setting, String> settings, List<String> mistakes) {
    String url = text(settings, Setting.WEBHOOK_URL);
    if (url.isEmpty() != text(settings, Setting.WEBHOOK_SECRET_FILE).isEmpty()) {
      mistakes.add("webhook: needs both url and secret-file, or neither");
    }
    if (!url.isEmpty()) {
      Hook.mistakeIn(url)
          .or(() -> webhookRule(settings).mistakeIn(url))
          .ifPresent(mistake -> mistakes.add("webhook.url: " + mistake));
    }
  }

  private static void checkSnapshots(Map<Setting, String> settings, List<String> mistakes) {
    String repository = text(settings, Setting.SNAPSHOTS_REPOSITORY);
    String accessKey = text(settings, Setting.SNAPSHOTS_ACCESS_KEY);
    if (accessKey.isEmpty() != text(settings, Setting.SNAPSHOTS_SECRET_FILE).isEmpty()) {
      mistakes.add("snapshots: needs both access-key and secret-file, or neither");
    }
    if (repository.isEmpty()) {
      return;
    }
    try {
      boolean isS3 = RepositoryAddress.parse(repository) instanceof RepositoryAddress.S3;
      if (isS3 && accessKey.isEmpty()) {
        mistakes.add(
            "snapshots.repository: an S3-compatible store needs a key: give access-key and"
                + " secret-file");
      }
    } catch (SnapshotException e) {
      mistakes.add("snapshots.repository: " + e.getMessage());
    }
  }

  /**
   * Returns where snapshots are kept. The default is a directory in the member's own directory, if
   * it has one.
   */
  private static SnapshotSettings snapshots(Map<Setting, String> settings) {
    String repository = text(settings, Setting.SNAPSHOTS_REPOSITORY);
    String accessKey = text(settings, Setting.SNAPSHOTS_ACCESS_KEY);
    Path data = path(settings, Setting.DATA);
    Path usual = data == null ? null : data.resolve(SNAPSHOTS);
    return new SnapshotSettings(
        !repository.isEmpty() ? repository : usual == null ? null : usual.toString(),
        accessKey.isEmpty() ? null : accessKey,
        path(settings, Setting.SNAPSHOTS_SECRET_FILE),
        Durations.parse(text(settings, Setting.HIBERNATE_AFTER)).orElse(Duration.ZERO));
  }

  private static WebhookRule webhookRule(Map<Setting, String> settings) {
    return new WebhookRule(
        isTrue(settings, Setting.WEBHOOK_ALLOW_HTTP), isTrue(settings, Setting.DEV));
  }

  private static @Nullable String webhookUrl(Map<Setting, String> settings) {
    String url = text(settings, Setting.WEBHOOK_URL);
    return url.isEmpty() ? null : url;
  }

  /** A value is on the Java heap while it is on its way: it must not fill it. */
  private static void checkMostValue(
      Map<Setting, String> settings, Room room, List<String> mistakes) {
    int bytes = mostValueBytes(settings, room);
    if (bytes > room.javaHeapBytes() / LARGEST_PART_OF_HEAP) {
      mistakes.add(
          Setting.RESP_MAX_VALUE.path()
              + ": "
              + Sizes.text(bytes)
              + " are more than a quarter of the Java heap ("
              + Sizes.text(room.javaHeapBytes())
              + "), which holds a value while it is on its way: make it smaller, or the heap larger"
              + " (KVS_JAVA_OPTS=-Xmx...)");
    }
  }

  private static int mostCollectionBytes(Map<Setting, String> settings) {
    String text = text(settings, Setting.RESP_MAX_COLLECTION);
    return text.equals(NONE)
        ? KeyCommand.MOST_COLLECTION_BYTES
        : Math.toIntExact(Values.parseBytes(text));
  }

  private static int mostValueBytes(Map<Setting, String> settings, Room room) {
    String text = text(settings, Setting.RESP_MAX_VALUE);
    long bytes =
        text.equals(AUTO)
            ? Math.clamp(room.javaHeapBytes() / PART_OF_HEAP, LEAST_AUTO_VALUE, MOST_AUTO_VALUE)
            : Values.parseBytes(text);
    return Math.toIntExact(bytes);
  }

  private static ServerConfig build(Map<Setting, String> settings, MemoryPlan memory, Room room) {
    String join = text(settings, Setting.JOIN);
    String name = text(settings, Setting.MEMBER_NAME);
    return new ServerConfig(
        text(settings, Setting.CLUSTER_NAME),
        name.isEmpty() ? "member-" + ProcessHandle.current().pid() : name,
        text(settings, Setting.BIND),
        integer(settings, Setting.RESP_PORT),
        integer(settings, Setting.HTTP_PORT),
        integer(settings, Setting.CLIENT_PORT),
        integer(settings, Setting.MEMBER_PORT),
        join.isEmpty() ? List.of() : Arrays.stream(join.split(",", -1)).map(String::strip).toList(),
        role(settings),
        quorum(settings),
        path(settings, Setting.DATA),
        restart(settings),
        reclaim(settings, memory),
        snapshots(settings),
        Duration.ofSeconds(integer(settings, Setting.USAGE_INTERVAL_SECONDS)),
        webhookUrl(settings),
        path(settings, Setting.WEBHOOK_SECRET_FILE),
        webhookRule(settings),
        isTrue(settings, Setting.DEV),
        path(settings, Setting.CLUSTER_SECRET_FILE),
        path(settings, Setting.OPERATOR_KEY_FILE),
        integer(settings, Setting.BACKUP_COUNT),
        integer(settings, Setting.PARTITION_COUNT),
        memory,
        extensions(settings),
        new FastPath(
            isTrue(settings, Setting.FAST_PATH_DIRECT),
            isTrue(settings, Setting.FAST_PATH_COALESCING),
            integer(settings, Setting.FAST_PATH_CHANNELS)),
        clientLimits(settings, room),
        orAuto(settings, Setting.CLIENT_MAX_CONNECTIONS),
        mostValueBytes(settings, room),
        mostCollectionBytes(settings),
        integer(settings, Setting.RESP_MAX_CLIENTS),
        Values.parseBytes(text(settings, Setting.RESP_READ_AHEAD)),
        Machine.numbers(text(settings, Setting.RESP_CPUS)),
        text(settings, Setting.RESP_TRANSPORT),
        new ScriptLimits(
            integer(settings, Setting.SCRIPTS_MAX_STEPS),
            Values.parseBytes(text(settings, Setting.SCRIPTS_MAX_MEMORY)),
            Duration.ofMillis(integer(settings, Setting.SCRIPTS_MAX_MILLIS)),
            Math.toIntExact(Values.parseBytes(text(settings, Setting.SCRIPTS_MAX_SOURCE)))),
        postgres(settings),
        http(settings),
        new UnauthenticatedSettings(
            orAuto(settings, Setting.UNAUTHENTICATED_MAX_CONNECTIONS),
            Duration.ofSeconds(integer(settings, Setting.UNAUTHENTICATED_SECONDS))),
        text(settings, Setting.LOG_LEVEL));
  }

  private static PostgresSettings postgres(Map<Setting, String> settings) {
    return new PostgresSettings(
        Values.isOff(text(settings, Setting.POSTGRES_PORT))
            ? PostgresSettings.OFF
            : integer(settings, Setting.POSTGRES_PORT),
        integer(settings, Setting.POSTGRES_MAX_CLIENTS));
  }

  private static QuorumConfig quorum(Map<Setting, String> settings) {
    int lease = integer(settings, Setting.DETECTION_LEASE_MILLIS);
    int silence = integer(settings, Setting.DETECTION_SILENCE_MILLIS);
    return new QuorumConfig(
        SplitMode.valueOf(text(settings, Setting.SPLIT).toUpperCase(Locale.ROOT)),
        QuorumTimes.ofMillis(lease, lease / BEATS_PER_LEASE, silence));
  }

  private static ClientLimits clientLimits(Map<Setting, String> settings, Room room) {
    UnreadLimit unread = UnreadLimit.ofHeap(room.javaHeapBytes());
    String ofConnection = text(settings, Setting.CLIENT_MAX_UNREAD);
    return new ClientLimits(
        new WaitingLimit(
            integer(settings, Setting.CLIENT_MAX_WAITING_REQUESTS),
            Values.parseBytes(text(settings, Setting.CLIENT_MAX_WAITING))),
        ofConnection.equals(AUTO) ? unread : unread.ofConnection(Values.parseBytes(ofConnection)),
        integer(settings, Setting.CLIENT_MAX_TRANSACTIONS));
  }

  private static HttpSettings http(Map<Setting, String> settings) {
    return new HttpSettings(
        orAuto(settings, Setting.HTTP_MAX_CONNECTIONS),
        Values.items(text(settings, Setting.HTTP_ORIGINS)).stream().map(Values::origin).toList());
  }

  private static @Nullable RestartConfig restart(Map<Setting, String> settings) {
    Path data = path(settings, Setting.DATA);
    return data == null
        ? null
        : new RestartConfig(
            data,
            Durability.valueOf(text(settings, Setting.DURABILITY).toUpperCase(Locale.ROOT)),
            RestartPolicy.valueOf(text(settings, Setting.RESTART_POLICY).toUpperCase(Locale.ROOT)),
            Duration.ofSeconds(integer(settings, Setting.RESTART_WAIT_SECONDS)),
            (long) integer(settings, Setting.RESTART_CHUNK_MIB) << 20,
            WhileLoading.valueOf(
                text(settings, Setting.RESTART_WHILE_LOADING).toUpperCase(Locale.ROOT)),
            areFirst(Values.items(text(settings, Setting.RESTART_LOAD_FIRST))),
            (long) integer(settings, Setting.RESTART_KEYS_FIRST_BELOW_MIB) << 20,
            Duration.ofHours(integer(settings, Setting.RESTART_SCRUB_HOURS)));
  }

  private static ReclaimSetup reclaim(Map<Setting, String> settings, MemoryPlan memory) {
    String size = text(settings, Setting.SPILL_SIZE);
    return new ReclaimSetup(
        integer(settings, Setting.RECLAIM_HIGH_PERCENT),
        integer(settings, Setting.RECLAIM_LOW_PERCENT),
        Duration.ofSeconds(integer(settings, Setting.RECLAIM_INACTIVE_SECONDS)),
        integer(settings, Setting.RECLAIM_LESS_ACTIVE_PERCENT),
        spillDirectory(settings),
        size.equals(AUTO)
            ? ReclaimSetup.SPILLED_TO_MEMORY * memory.heap().capacityBytes()
            : Values.parseBytes(size));
  }

  /**
   * Returns the directory for spilled values, or null for none. The default is the member's own
   * directory, if it has one.
   */
  private static @Nullable Path spillDirectory(Map<Setting, String> settings) {
    if (isWitness(settings)) {
      return null;
    }
    String text = text(settings, Setting.SPILL_DIRECTORY);
    return switch (text) {
      case AUTO -> path(settings, Setting.DATA);
      case NONE -> null;
      default -> Path.of(text).toAbsolutePath().normalize();
    };
  }

  /**
   * Returns a predicate for the maps, as the grid names them, that are of these tenants or are
   * these maps.
   */
  private static Predicate<String> areFirst(List<String> items) {
    return map ->
        items.stream()
            .anyMatch(item -> item.contains("/") ? map.equals(item) : map.startsWith(item + "/"));
  }

  private static Extensions extensions(Map<Setting, String> settings) {
    Map<Integer, String> factories = new LinkedHashMap<>();
    for (String item : Values.items(text(settings, Setting.EXTENSIONS_FACTORIES))) {
      int equals = item.indexOf('=');
      factories.put(Integer.parseInt(item.substring(0, equals)), item.substring(equals + 1));
    }
    return new Extensions(
        Values.items(text(settings, Setting.EXTENSIONS_CLASS_PATH)).stream()
            .map(item -> Path.of(item).toAbsolutePath().normalize())
            .toList(),
        Values.items(text(settings, Setting.EXTENSIONS_CLASSES)),
        factories);
  }

  private static String text(Map<Setting, String> settings, Setting setting) {
    return settings.getOrDefault(setting, setting.defaultText());
  }

  private static int integer(Map<Setting, String> settings, Setting setting) {
    return Integer.parseInt(text(settings, setting));
  }

  /** A number, or 0 for what fits. */
  private static int orAuto(Map<Setting, String> settings, Setting setting) {
    return text(settings, setting).equals(AUTO) ? 0 : integer(settings, setting);
  }

  private static boolean isTrue(Map<Setting, String> settings, Setting setting) {
    return text(settings, setting).equals("true");
  }

  private static @Nullable Path path(Map<Setting, String> settings, Setting setting) {
    String text = text(settings, setting);
    return text.isEmpty() ? null : Path.of(text).toAbsolutePath().normalize();
  }

  private static boolean isLoopback(String bind) {
    try {
      return InetAddress.getByName(bind).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static String suggestion(String path) {
    return Likeness.suggestion(path, Arrays.stream(Setting.values()).map(Setting::path).toList());
  }
}
