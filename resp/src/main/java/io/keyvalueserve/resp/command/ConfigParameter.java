package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.resp.watch.SlowLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of Redis' configuration, as it is for one tenant. Those that a tenant may set hold
 * for its sessions at this member until the member ends.
 *
 * @param name in lower case
 * @param value returns the value that holds for a client
 * @param setter checks a value and returns what sets it; null if the tenant cannot set it
 * @param refusal why the tenant cannot set it; empty if it can
 */
record ConfigParameter(
    String name, Function<Client, String> value, @Nullable Setter setter, String refusal) {
  private static final String FIXED = "it is the same for all tenants, and is not set by a client";
  private static final String LIMITS =
      "the operator limits memory (kvs quota set TENANT --memory BYTES)";
  private static final String EVICTION = "a map's entries are evicted as the map's settings say";
  private static final String LOG = "the operator says whether a member keeps data on its disk";

  /** All parameters by name. One line each, sorted by name. */
  private static final Map<String, ConfigParameter> ALL =
      byName(
          List.of(
              fixed("appendonly", "no", LOG),
              of(
                  "client-output-buffer-limit",
                  c ->
                      "normal "
                          + c.member().outputLimits()
                          + " pubsub "
                          + c.member().messageLimits(),
                  FIXED),
              of("client-query-buffer-limit", c -> text(c.member().mostReadAheadBytes()), FIXED),
              fixed("cluster-enabled", "no", FIXED),
              fixed("databases", "16", "maps have names, and there is no number of them"),
              own(
                  "latency-monitor-threshold",
                  client -> client.desk().latencyMillis(),
                  0,
                  Long.MAX_VALUE,
                  (client, millis) -> client.desk().setLatencyMillis(millis)),
              of("maxclients", c -> text(c.member().mostClients()), FIXED),
              of("maxmemory", c -> text(Info.mostMemory(c)), LIMITS),
              fixed("maxmemory-policy", "noeviction", EVICTION),
              new ConfigParameter(
                  "notify-keyspace-events",
                  client -> NotifyFlags.text(client.desk().noticeFlags()),
                  ConfigParameter::setNotices,
                  ""),
              of("port", c -> text(c.member().port()), FIXED),
              of("proto-max-bulk-len", c -> text(c.member().mostValueBytes()), FIXED),
              fixed("save", "", LOG),
              own(
                  "slowlog-log-slower-than",
                  client -> client.desk().slowMicros(),
                  -1,
                  Long.MAX_VALUE,
                  (client, micros) -> client.desk().setSlowMicros(micros)),
              own(
                  "slowlog-max-len",
                  client -> client.desk().slowLog().most(),
                  0,
                  SlowLog.MOST_ENTRIES,
                  (client, entries) -> client.desk().slowLog().keep((int) (long) entries)),
              of("tcp-keepalive", c -> text(c.member().keepAliveSeconds()), FIXED),
              own(
                  "timeout",
                  client -> client.desk().timeoutSeconds(),
                  0,
                  Integer.MAX_VALUE,
                  ConfigParameter::setTimeout)));

  /** Checks a value of a parameter. */
  @FunctionalInterface
  interface Setter {
    /**
     * Returns what sets the value.
     *
     * @throws CommandException if it is no value of the parameter
     */
    Runnable check(Client client, String value);
  }

  private static Map<String, ConfigParameter> byName(List<ConfigParameter> parameters) {
    Map<String, ConfigParameter> all = new TreeMap<>();
    parameters.forEach(each -> all.put(each.name(), each));
    return all;
  }

  /** Returns all parameters, sorted by name. */
  static Map<String, ConfigParameter> all() {
    return ALL;
  }

  private static ConfigParameter fixed(String name, String value, String refusal) {
    return of(name, client -> value, refusal);
  }

  private static ConfigParameter of(String name, Function<Client, String> value, String refusal) {
    return new ConfigParameter(name, value, null, refusal);
  }

  /** A number that the tenant may set. */
  private static ConfigParameter own(
      String name,
      Function<Client, Number> value,
      long least,
      long most,
      BiConsumer<Client, Long> set) {
    return new ConfigParameter(
        name,
        client -> String.valueOf(value.apply(client)),
        (client, text) -> {
          long number =
              Arithmetic.parseInteger(text.getBytes(StandardCharsets.ISO_8859_1))
                  .orElseThrow(() -> failed(name, "argument couldn't be parsed into an integer"));
          if (number < least || number > most) {
            throw failed(name, "argument must be between " + least + " and " + most + " inclusive");
          }
          return () -> set.accept(client, number);
        },
        "");
  }

  /** Returns the error for a value that is not set, in Redis' words. */
  static CommandException failed(String name, String reason) {
    return new CommandException(
        "ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + reason);
  }

  private static Runnable setNotices(Client client, String letters) {
    int flags = NotifyFlags.parse(letters);
    if (flags < 0) {
      throw failed(
          "notify-keyspace-events", "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
    }
    return () -> client.setNoticeFlags(flags);
  }

  private static void setTimeout(Client client, long seconds) {
    client.desk().setTimeoutSeconds((int) seconds);
    client.watchIdleSiblings();
  }

  private static String text(long number) {
    return Long.toString(number);
  }
}
