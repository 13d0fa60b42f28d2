package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.GlobMatcher;
import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Descriptor.Group;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * CONFIG GET: what clients and benchmarks ask of Redis, answered as it is here. CONFIG SET: the few
 * parameters that are a tenant's own.
 */
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
                      ConfigCommands::get),
                  Container.subcommand(
                      PARENT,
                      Descriptor.of(
                              "set",
                              -4,
                              Group.SERVER,
                              "parameter value [parameter value ...]",
                              "Sets parameters of the tenant's sessions at this member.")
                          .with(Flag.LOADING, Flag.STALE)
                          .since("2.0.0"),
                      ConfigCommands::set))));

  /** The most steps that all patterns of a request may take. */
  private static final long MOST_STEPS = 1 << 20;

  private ConfigCommands() {}

  private static Reply get(Client client, Request request) {
    Map<String, String> found = new TreeMap<>();
    long steps = 0;
    for (int i = 2; i < request.count(); i++) {
      GlobMatcher matcher =
          new GlobMatcher(
              new GlobPattern(request.latin(i).toLowerCase(Locale.ROOT).getBytes(US_ASCII)));
      ConfigParameter.all()
          .forEach(
              (name, parameter) -> {
                if (matcher.matches(name.getBytes(US_ASCII))) {
                  found.put(name, parameter.value().apply(client));
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

  /** Refuses a parameter that is set twice, before any value is looked at. */
  private static void refuseDuplicates(Request request) {
    Set<String> names = new HashSet<>();
    for (int i = 2; i < request.count(); i += 2) {
      String name = request.latin(i).toLowerCase(Locale.ROOT);
      if (ConfigParameter.all().containsKey(name) && !names.add(name)) {
        throw ConfigParameter.failed(name, "duplicate parameter");
      }
    }
  }

  /** Sets all of the parameters or, if one of them cannot be set, none. */
  private static Reply set(Client client, Request request) {
    if (request.count() % 2 != 0) {
      throw Parsing.syntaxError();
    }
    refuseDuplicates(request);
    List<Runnable> changes = new ArrayList<>();
    for (int i = 2; i < request.count(); i += 2) {
      String name = request.latin(i).toLowerCase(Locale.ROOT);
      ConfigParameter parameter = ConfigParameter.all().get(name);
      if (parameter == null) {
        throw new CommandException(
            "ERR Unknown option or number of arguments for CONFIG SET - '"
                + Errors.shown(request.latin(i))
                + "'");
      }
      String value = request.latin(i + 1);
      ConfigParameter.Setter setter = parameter.setter();
      if (setter != null) {
        changes.add(setter.check(client, value));
      } else if (!value.equals(parameter.value().apply(client))) {
        throw ConfigParameter.failed(name, parameter.refusal());
      }
    }
    changes.forEach(Runnable::run);
    return Reply.OK;
  }
}
