package io.keyvalueserve.gateway.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.gateway.command.Descriptor.Flag;
import io.keyvalueserve.gateway.command.Descriptor.Group;
import io.keyvalueserve.gateway.protocol.Reply;
import io.keyvalueserve.gateway.protocol.Request;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantMeters.Reading;
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
      List.of("server", "clients", "memory", "persistence", "stats", "replication", "keyspace");

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
            "maxclients:" + client.member().mostClients(),
            "blocked_clients:0");
      }
      case "memory" -> List.of("maxmemory:0", "maxmemory_policy:noeviction");
      case "persistence" -> List.of("loading:0");
      case "stats" -> stats(client);
      default -> List.of("role:master", "connected_slaves:0");
    };
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
    for (Reading reading : client.member().meters().readings(client.identity())) {
      if (reading.door() == Door.RESP) {
        return List.of(
            "total_commands_processed:" + reading.operations(),
            "total_net_input_bytes:" + reading.bytesIn(),
            "total_net_output_bytes:" + reading.bytesOut(),
            "acl_access_denied_auth:" + reading.refused());
      }
    }
    return List.of("total_commands_processed:0");
  }

  /** The sizes of the tenant's maps, asked one after the other. */
  private static CompletionStage<List<String>> keyspace(TenantSpace space) {
    return space
        .maps()
        .thenCompose(
            names -> {
              List<String> lines = new ArrayList<>();
              CompletionStage<List<String>> all = CompletableFuture.completedFuture(lines);
              for (String name : names) {
                all =
                    all.thenCombine(
                        space.map(new MapName(name)).size(),
                        (sofar, size) -> {
                          if (size > 0) {
                            sofar.add(label(name) + ":keys=" + size + ",expires=0,avg_ttl=0");
                          }
                          return sofar;
                        });
              }
              return all;
            });
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
