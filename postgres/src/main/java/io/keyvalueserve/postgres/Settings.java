package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.wire.PostgresException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a session, as {@code SET} changes them and {@code SHOW} tells them. Used by the
 * thread that works for the connection; {@link #applicationName} by any.
 */
final class Settings {
  private static final int MOST_OWN = 100;
  private static final int MOST_CHARACTERS = 4096;
  private static final Pattern TIME = Pattern.compile("(\\d{1,10})\\s*(us|ms|s|min|h|d)?");
  private static final Pattern OPTION =
      Pattern.compile("(?:-c\\s*|--)([A-Za-z_.]+)=((?:\\\\.|[^\\s\\\\])*)");

  /** The parameters whose values a client is told when they change. */
  private static final List<String> REPORTED =
      List.of(
          "server_version",
          "server_encoding",
          "client_encoding",
          "application_name",
          "default_transaction_read_only",
          "in_hot_standby",
          "is_superuser",
          "session_authorization",
          "DateStyle",
          "IntervalStyle",
          "TimeZone",
          "integer_datetimes",
          "standard_conforming_strings",
          "search_path");

  private static final List<String> FIXED =
      List.of(
          "server_version",
          "server_version_num",
          "server_encoding",
          "in_hot_standby",
          "is_superuser",
          "integer_datetimes",
          "max_identifier_length",
          "max_index_keys",
          "block_size",
          "ssl");

  private final Map<String, String> defaults = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, @Nullable String> beforeTransaction = new HashMap<>();
  private volatile String applicationName = "";
  private ZoneId zone = ZoneOffset.UTC;

  private Settings(String version) {
    set(defaults, "server_version", "16.0 (KeyValueServe " + version + ")");
    set(defaults, "server_version_num", "160000");
    for (String name : List.of("server_encoding", "client_encoding")) {
      set(defaults, name, "UTF8");
    }
    for (String name :
        List.of(
            "in_hot_standby",
            "is_superuser",
            "default_transaction_read_only",
            "transaction_read_only",
            "default_transaction_deferrable",
            "transaction_deferrable",
            "ssl",
            "row_security",
            "jit",
            "array_nulls",
            "quote_all_identifiers",
            "synchronize_seqscans",
            "check_function_bodies",
            "default_with_oids",
            "allow_in_place_tablespaces")) {
      set(defaults, name, "off");
    }
    for (String name :
        List.of(
            "integer_datetimes",
            "standard_conforming_strings",
            "escape_string_warning",
            "enable_seqscan",
            "enable_bitmapscan",
            "geqo",
            "synchronous_commit")) {
      set(defaults, name, "on");
    }
    for (String name :
        List.of(
            "statement_timeout",
            "lock_timeout",
            "transaction_timeout",
            "idle_in_transaction_session_timeout",
            "idle_session_timeout")) {
      set(defaults, name, "0");
    }
    for (String name :
        List.of(
            "application_name",
            "session_authorization",
            "default_tablespace",
            "temp_tablespaces")) {
      set(defaults, name, "");
    }
    set(defaults, "DateStyle", "ISO, MDY");
    set(defaults, "IntervalStyle", "postgres");
    set(defaults, "TimeZone", "UTC");
    set(defaults, "search_path", "\"$user\", public");
    set(defaults, "client_min_messages", "notice");
    set(defaults, "extra_float_digits", "1");
    set(defaults, "transaction_isolation", "read committed");
    set(defaults, "default_transaction_isolation", "read committed");
    set(defaults, "max_identifier_length", "63");
    set(defaults, "max_index_keys", "32");
    set(defaults, "block_size", "8192");
    set(defaults, "bytea_output", "hex");
    set(defaults, "backslash_quote", "safe_encoding");
    set(defaults, "xmloption", "content");
    set(defaults, "lc_collate", "C");
    set(defaults, "lc_ctype", "C");
    set(defaults, "lc_messages", "C");
    set(defaults, "lc_monetary", "C");
    set(defaults, "lc_numeric", "C");
    set(defaults, "lc_time", "C");
    set(defaults, "default_table_access_method", "heap");
    set(defaults, "password_encryption", "scram-sha-256");
    set(defaults, "wal_level", "replica");
    set(defaults, "role", "none");
  }

  private static void set(Map<String, String> map, String name, String value) {
    map.put(name, value);
  }

  /**
   * Returns the parameters of a session that begins.
   *
   * @param startup what the client has sent in its first message
   * @throws PostgresException if a value is not possible
   */
  static Settings of(Map<String, String> startup, String version) {
    Settings settings = new Settings(version);
    settings.defaults.put("session_authorization", startup.getOrDefault("user", ""));
    startup.forEach(
        (name, value) -> {
          switch (name) {
            case "user", "database", "replication" -> {}
            case "options" -> settings.options(value);
            default -> {
              if (!name.startsWith("_pq_.")) {
                settings.set(name, value);
              }
            }
          }
        });
    settings.defaults.putAll(settings.values); // RESET returns to what the client began with
    return settings;
  }

  private void options(String text) {
    Matcher each = OPTION.matcher(text);
    while (each.find()) {
      set(each.group(1), each.group(2).replaceAll("\\\\(.)", "$1"));
    }
  }

  /** Returns the parameters that a client is told when its session begins. */
  Map<String, String> reported() {
    Map<String, String> told = new LinkedHashMap<>();
    REPORTED.forEach(name -> told.put(name, get(name)));
    return told;
  }

  /** Returns whether a client is told of a change of this parameter; its name as it is told. */
  static @Nullable String reportedName(String name) {
    return REPORTED.stream().filter(name::equalsIgnoreCase).findFirst().orElse(null);
  }

  /** Returns all parameters by name. */
  Map<String, String> all() {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(defaults);
    all.putAll(values);
    return all;
  }

  /** Returns whether there is such a parameter. */
  boolean has(String name) {
    return defaults.containsKey(name) || values.containsKey(name);
  }

  /**
   * Returns a parameter's value.
   *
   * @throws PostgresException {@code 42704} if there is none of the name
   */
  String get(String name) {
    String value = values.get(name);
    value = value == null ? defaults.get(name) : value;
    if (value == null) {
      throw unknown(name);
    }
    return value;
  }

  private static PostgresException unknown(String name) {
    return new PostgresException("42704", "unrecognized configuration parameter \"" + name + "\"");
  }

  /**
   * Changes a parameter.
   *
   * @throws PostgresException if there is none of the name, or its value is not possible
   */
  void set(String name, String value) {
    if (value.length() > MOST_CHARACTERS) {
      throw new PostgresException("22023", "the value of parameter \"" + name + "\" is too long");
    }
    if (!defaults.containsKey(name)) {
      if (!name.contains(".")) {
        throw unknown(name);
      }
      if (values.size() > MOST_OWN) {
        throw new PostgresException("53400", "there are too many parameters");
      }
    }
    if (FIXED.stream().anyMatch(name::equalsIgnoreCase)) {
      if (get(name).equalsIgnoreCase(value)) {
        return;
      }
      throw new PostgresException("55P02", "parameter \"" + name + "\" cannot be changed");
    }
    values.put(name, checked(name, value));
    changed();
  }

  /** Changes a parameter until the transaction ends. */
  void setLocal(String name, String value) {
    String before = values.get(name);
    set(name, value);
    beforeTransaction.putIfAbsent(name.toLowerCase(Locale.ROOT), before);
  }

  /** Ends a transaction: what was changed for it is as before. */
  void endTransaction() {
    if (beforeTransaction.isEmpty()) {
      return;
    }
    beforeTransaction.forEach(
        (name, value) -> {
          if (value == null) {
            values.remove(name);
          } else {
            values.put(name, value);
          }
        });
    beforeTransaction.clear();
    changed();
  }

  /** Gives a parameter its first value. */
  void reset(String name) {
    if (!has(name)) {
      throw unknown(name);
    }
    values.remove(name);
    changed();
  }

  /** Gives all parameters their first values. */
  void resetAll() {
    values.clear();
    changed();
  }

  private void changed() {
    zone = ZoneId.of(get("TimeZone"));
    applicationName = get("application_name");
  }

  private static String checked(String name, String value) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "client_encoding" -> encoding(value);
      case "datestyle" -> dateStyle(value);
      case "timezone" -> zone(value);
      case "standard_conforming_strings" -> {
        if (!value.equalsIgnoreCase("on") && !value.equalsIgnoreCase("true")) {
          throw impossible(name, value, "strings follow the standard here");
        }
        yield "on";
      }
      case "statement_timeout",
          "lock_timeout",
          "idle_session_timeout",
          "idle_in_transaction_session_timeout",
          "transaction_timeout" -> {
        long millis = millis(name, value);
        yield Long.toString(millis) + (millis == 0 ? "" : "ms");
      }
      default -> value;
    };
  }

  private static String encoding(String value) {
    String plain = value.replace("-", "").replace("'", "").toUpperCase(Locale.ROOT);
    if (!plain.equals("UTF8") && !plain.equals("UNICODE")) {
      throw impossible("client_encoding", value, "use UTF8");
    }
    return "UTF8";
  }

  private static String dateStyle(String value) {
    String upper = value.toUpperCase(Locale.ROOT);
    if (!upper.contains("ISO") && upper.matches(".*(SQL|POSTGRES|GERMAN).*")) {
      throw impossible("DateStyle", value, "use ISO");
    }
    return "ISO, " + (upper.contains("DMY") ? "DMY" : upper.contains("YMD") ? "YMD" : "MDY");
  }

  private static String zone(String value) {
    String name =
        switch (value.toLowerCase(Locale.ROOT)) {
          case "default", "local", "utc", "gmt" -> "UTC";
          default -> value;
        };
    try {
      return ZoneId.of(name, ZoneId.SHORT_IDS).getId();
    } catch (DateTimeException e) {
      throw impossible("TimeZone", value, "use a name as Europe/Berlin or UTC");
    }
  }

  private static long millis(String name, String value) {
    Matcher parts = TIME.matcher(value.strip());
    if (!parts.matches()) {
      throw impossible(name, value, "use milliseconds, or a number with ms, s, min, h or d");
    }
    long number = Long.parseLong(parts.group(1));
    String unit = parts.group(2);
    long factor =
        switch (unit == null ? "ms" : unit) {
          case "s" -> 1000;
          case "min" -> 60_000;
          case "h" -> 3_600_000;
          case "d" -> 86_400_000;
          default -> 1;
        };
    return "us".equals(unit) ? number / 1000 : Math.min(number * factor, Integer.MAX_VALUE);
  }

  private static PostgresException impossible(String name, String value, String hint) {
    return new PostgresException(
        "22023", "invalid value for parameter \"" + name + "\": \"" + value + "\"", 0, hint);
  }

  /** Returns the time zone of the session. */
  ZoneId zone() {
    return zone;
  }

  /** Returns the longest time of a statement; {@link Duration#ZERO} if none is set. */
  Duration timeout() {
    return Duration.ofMillis(millis("statement_timeout", get("statement_timeout")));
  }

  /** Returns for how many milliseconds the session may be idle; 0 for ever. */
  long idleMillis() {
    return millis("idle_session_timeout", get("idle_session_timeout"));
  }

  /** Returns what the client calls itself. Any thread. */
  String applicationName() {
    return applicationName;
  }
}
