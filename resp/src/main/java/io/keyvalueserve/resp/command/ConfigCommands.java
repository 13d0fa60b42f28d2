package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.GlobMatcher;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** CONFIG GET: what clients and benchmarks ask of Redis, answered as it is here. */
final class ConfigCommands {
  private static final Descriptor PARENT =
      Descriptor.of("config", -2, Group.SERVER, "", "What concerns the configuration.")
          .since("2.0.0");

  static final List<Command> ALL =
      List.of(
          new Container(
              PARENT,
              null,
              List.of(
                  Container.subcommand(
                      PARENT,
                      Descriptor.of(
                              "get",
                              -3,
                              Group.SERVER,
                              "parameter [parameter ...]",
                              "Returns the parameters whose names match.")
                          .with(Flag.LOADING, Flag.STALE)
                          .since("2.0.0"),
                      ConfigCommands::get))));

  /** The most steps that all patterns of a request may take. */
  private static final long MOST_STEPS = 1 << 20;

  private ConfigCommands() {}

  private static Reply get(Client client, Request request) {
    Map<String, String> found = new TreeMap<>();
    Map<String, String> parameters = parameters(client);
    long steps = 0;
    for (int i = 2; i < request.count(); i++) {
      GlobMatcher matcher =
          new GlobMatcher(
              new GlobPattern(request.latin(i).toLowerCase(Locale.ROOT).getBytes(US_ASCII)));
      parameters.forEach(
          (name, value) -> {
            if (matcher.matches(name.getBytes(US_ASCII))) {
              found.put(name, value);
            }
          });
      if (matcher.isTooCostly()) {
        throw new CommandException(Errors.tooCostly(matcher));
      }
      steps += matcher.steps();
      if (steps > MOST_STEPS) {
        throw new CommandException(
            "ERR the patterns take more than " + MOST_STEPS + " steps together: ask for fewer");
      }
    }
    List<Reply> pairs = new ArrayList<>();
    found.forEach(
        (name, value) -> {
          pairs.add(Reply.bulk(name));
          pairs.add(Reply.bulk(value));
        });
    return new Reply.MapOf(pairs);
  }

  private static Map<String, String> parameters(Client client) {
    Member member = client.member();
    return Map.ofEntries(
        Map.entry("appendonly", "no"),
        Map.entry("client-output-buffer-limit", "normal " + member.outputLimits()),
        Map.entry("client-query-buffer-limit", Long.toString(member.mostReadAheadBytes())),
        Map.entry("cluster-enabled", "no"),
        Map.entry("databases", "16"),
        Map.entry("maxclients", Integer.toString(member.mostClients())),
        Map.entry("maxmemory", Long.toString(Info.mostMemory(client))),
        Map.entry("maxmemory-policy", "noeviction"),
        Map.entry("port", Integer.toString(member.port())),
        Map.entry("proto-max-bulk-len", Integer.toString(member.mostValueBytes())),
        Map.entry("save", ""),
        Map.entry("tcp-keepalive", Integer.toString(member.keepAliveSeconds())),
        Map.entry("timeout", "0"));
  }
}
