package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.gates.RecentRates.PerSecond;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.TenantMeters.Reading;
import io.keyvalueserve.gates.admission.Admission;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** INFO: the member as one tenant may see it. Every count is of the tenant's own doings. */
final class Info implements SpaceCommand {
  private static final List<String> SECTIONS =
      List.of(
          "server",
          "clients",
          "memory",
          "persistence",
          "stats",
          "replication",
          "modules",
          "cluster",
          "keyspace");

  private static final double KIB = 1024;
  private static final String UNITS = "KMGTPE";

  private static final Descriptor DESCRIPTOR =
      Descriptor.of(
              "info",
              -1,
              Group.SERVER,
              "[section [section ...]]",
              "Returns facts about the member and the tenant's use of it.")
          .with(Flag.LOADING, Flag.STALE, Flag.DANGEROUS);

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public CompletionStage<Reply> execute(Client client, Request request) {
    Set<String> wanted = wanted(request);
    StringBuilder text = new StringBuilder();
    for (String section : SECTIONS) {
      if (wanted.contains(section) && !section.equals("keyspace")) {
        section(text, section, lines(section, client));
      }
    }
    if (!wanted.contains("keyspace")) {
      return CompletableFuture.completedFuture(new Reply.Verbatim(text.toString()));
    }
    return keyspace(client.space())
        .thenApply(
            lines -> {
              section(text, "keyspace", lines);
              return new Reply.Verbatim(text.toString());
            });
  }

  private static Set<String> wanted(Request request) {
    Set<String> wanted = new LinkedHashSet<>();
    for (int i = 1; i < request.count(); i++) {
      String section = request.latin(i).toLowerCase(Locale.ROOT);
      switch (section) {
        case "all", "default", "everything" -> wanted.addAll(SECTIONS);
        default -> wanted.add(section);
      }
    }
    if (request.count() == 1) {
      wanted.addAll(SECTIONS);
    }
    return wanted;
  }

  private static void section(StringBuilder text, String name, List<String> lines) {
    if (!text.isEmpty()) {
      text.append("\r\n");
    }
    text.append("# ")
        .append(name.substring(0, 1).toUpperCase(Locale.ROOT))
        .append(name, 1, name.length())
        .append("\r\n");
    lines.forEach(line -> text.append(line).append("\r\n"));
  }

  private static List<String> lines(String section, Client client) {
    return switch (section) {
      case "server" -> server(client.member());
      case "clients" -> {
        int own = client.member().sessions().count(client.identity().number());
        yield List.of(
            "connected_clients:" + own,
            "cluster_connections:0",
            "maxclients:" + client.member().mostClients(),
            "blocked_clients:"
                + client.siblings().stream().filter(each -> each.profile().isBlocked()).count(),
            "tracking_clients:0");
      }
      case "memory" -> memory(client);
      case "persistence" ->
          List.of(
              "loading:0",
              "async_loading:0",
              "rdb_bgsave_in_progress:0",
              "aof_enabled:0",
              "aof_rewrite_in_progress:0",
              "aof_rewrite_scheduled:0");
      case "stats" -> stats(client);
      case "modules" -> List.of();
      case "cluster" -> List.of("cluster_enabled:0");
      default ->
          List.of(
              "role:master",
              "connected_slaves:0",
              "master_failover_state:no-failover",
              "master_repl_offset:0",
              "repl_backlog_active:0");
    };
  }

  /** Returns the lines about the memory that the tenant uses on all members, and its limit. */
  private static List<String> memory(Client client) {
    Admission admission = client.member().admission(client.identity());
    long used = admission.usage().bytes();
    long most = mostMemory(client);
    return List.of(
        "used_memory:" + used,
        "used_memory_human:" + human(used),
        "maxmemory:" + most,
        "maxmemory_human:" + human(most),
        "maxmemory_policy:noeviction");
  }

  /** The tenant's limit on memory, in bytes; 0 if it has none, as in Redis. */
  static long mostMemory(Client client) {
    long most = client.member().admission(client.identity()).quota().of(Limit.MEMORY);
    return most == Quota.UNLIMITED ? 0 : most;
  }

  /** Formats bytes as Redis writes them: {@code 1.23M}. */
  private static String human(long bytes) {
    if (bytes < KIB) {
      return bytes + "B";
    }
    double amount = bytes;
    int unit = -1;
    while (amount >= KIB && unit < UNITS.length() - 1) {
      amount /= KIB;
      unit++;
    }
    return String.format(Locale.ROOT, "%.2f%c", amount, UNITS.charAt(unit));
  }

  private static List<String> server(Member member) {
    ServerFacts facts = member.facts();
    Duration up = Duration.between(facts.startedAt(), member.clock().instant());
    return List.of(
        "redis_version:" + CommandTable.REDIS_VERSION,
        "redis_mode:standalone",
        "keyvalueserve_version:" + facts.version(),
        "os:" + System.getProperty("os.name") + " " + System.getProperty("os.arch"),
        "arch_bits:64",
        "multiplexing_api:" + member.transport(),
        "run_id:" + facts.memberUuid().replace("-", ""),
        "member_name:" + facts.memberName(),
        "member_uuid:" + facts.memberUuid(),
        "member_count:" + facts.memberCount(),
        "tcp_port:" + member.port(),
        "uptime_in_seconds:" + up.toSeconds(),
        "uptime_in_days:" + up.toDays());
  }

  private static List<String> stats(Client client) {
    TenantMeters meters = client.member().meters();
    Reading reading = meters.reading(client.identity(), Door.RESP);
    PerSecond rates = meters.recentRates(client.identity(), Door.RESP);
    return List.of(
        "total_connections_received:" + reading.sessions(),
        "total_commands_processed:" + reading.operations(),
        "instantaneous_ops_per_sec:" + Math.round(rates.operations()),
        "total_net_input_bytes:" + reading.bytesIn(),
        "total_net_output_bytes:" + reading.bytesOut(),
        "instantaneous_input_kbps:" + kibibytes(rates.bytesIn()),
        "instantaneous_output_kbps:" + kibibytes(rates.bytesOut()),
        "acl_access_denied_auth:" + reading.refused(),
        "pubsub_channels:" + client.channels().countHere(ChannelKind.CHANNEL),
        "pubsub_patterns:" + client.channels().countHere(ChannelKind.PATTERN),
        "pubsubshard_channels:" + client.channels().countHere(ChannelKind.SHARD));
  }

  private static String kibibytes(double bytes) {
    return String.format(Locale.ROOT, "%.2f", bytes / KIB);
  }

  /**
   * Returns the lines about the entries of the tenant's maps, which are asked one after the other.
   */
  private static CompletionStage<List<String>> keyspace(TenantSpace space) {
    return space
        .maps()
        .thenCompose(
            names -> {
              List<String> lines = new ArrayList<>();
              CompletionStage<List<String>> all = CompletableFuture.completedFuture(lines);
              for (String name : names) {
                KeyMap map = space.map(new MapName(name));
                all = all.thenCombine(line(map), Info::with);
              }
              return all;
            });
  }

  private static List<String> with(List<String> lines, String line) {
    if (!line.isEmpty()) {
      lines.add(line);
    }
    return lines;
  }

  /** Returns the line about a map; nothing if it has no entries. */
  private static CompletionStage<String> line(KeyMap map) {
    return map.size()
        .thenCombine(
            map.expiring(),
            (size, expiring) ->
                size == 0
                    ? ""
                    : label(map.name())
                        + ":keys="
                        + size
                        + ",expires="
                        + Math.min(size, expiring)
                        + ",avg_ttl=0");
  }

  private static String label(String map) {
    if (map.equals(TenantSpace.DEFAULT_MAP)) {
      return "db0";
    }
    boolean number =
        Arithmetic.parseInteger(map.getBytes(java.nio.charset.StandardCharsets.UTF_8)).isPresent();
    return number ? "db" + map : "map_" + map;
  }
}
