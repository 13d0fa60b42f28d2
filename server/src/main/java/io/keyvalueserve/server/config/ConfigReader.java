package io.keyvalueserve.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link ServerConfig} of {@code kvs.yaml} and the flags over it. The whole is checked, and
 * all mistakes are told at once.
 */
public final class ConfigReader {
  /** How unlike a path may be to be offered as what was meant: a third of its letters. */
  private static final int LIKENESS = 3;

  private ConfigReader() {}

  /**
   * Reads a configuration.
   *
   * @param file the file, or null for none
   * @param flags paths and values that hold over the file
   * @throws ConfigException with every mistake
   */
  public static ServerConfig read(@Nullable Path file, Map<String, String> flags) {
    List<String> mistakes = new ArrayList<>();
    Map<String, String> given = new LinkedHashMap<>();
    if (file != null) {
      readFile(file, given, mistakes);
    }
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
    }
    if (!mistakes.isEmpty()) {
      throw new ConfigException(mistakes);
    }
    return build(settings);
  }

  private static void readFile(Path file, Map<String, String> given, List<String> mistakes) {
    try {
      JsonNode root = new YAMLMapper().readTree(Files.readString(file));
      if (root == null || root.isMissingNode() || root.isNull()) {
        return;
      }
      if (!root.isObject()) {
        mistakes.add(file + ": holds no settings; write NAME: VALUE lines");
        return;
      }
      flatten("", root, given, mistakes);
    } catch (JsonProcessingException e) {
      mistakes.add(file + ": is not YAML: " + e.getOriginalMessage());
    } catch (IOException e) {
      mistakes.add(file + ": cannot be read: " + e);
    }
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
    int backups = Integer.parseInt(text(settings, Setting.BACKUP_COUNT));
    if (backups == 0 && !text(settings, Setting.JOIN).isEmpty()) {
      mistakes.add("backup-count: 0 loses data when a member of a cluster ends: use 1 or more");
    }
  }

  private static ServerConfig build(Map<Setting, String> settings) {
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
        path(settings, Setting.DATA),
        isTrue(settings, Setting.DEV),
        path(settings, Setting.CLUSTER_SECRET_FILE),
        path(settings, Setting.OPERATOR_KEY_FILE),
        integer(settings, Setting.BACKUP_COUNT),
        integer(settings, Setting.PARTITION_COUNT),
        Math.toIntExact(Values.parseBytes(text(settings, Setting.RESP_MAX_VALUE))),
        integer(settings, Setting.RESP_MAX_CLIENTS),
        text(settings, Setting.RESP_TRANSPORT),
        text(settings, Setting.LOG_LEVEL));
  }

  private static String text(Map<Setting, String> settings, Setting setting) {
    return settings.getOrDefault(setting, setting.defaultText());
  }

  private static int integer(Map<Setting, String> settings, Setting setting) {
    return Integer.parseInt(text(settings, setting));
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
    Optional<String> nearest =
        Arrays.stream(Setting.values())
            .map(Setting::path)
            .min(java.util.Comparator.comparingInt(known -> distance(path, known)));
    return nearest
        .filter(known -> distance(path, known) <= Math.max(1, known.length() / LIKENESS))
        .map(known -> "; did you mean " + known + "?")
        .orElse("");
  }

  /** How many letters to change, put in or take out (Levenshtein). */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
