package io.keyvalueserve.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A script that makes a shell complete the command line: subcommands, options, their values, and
 * names that the server knows. It is made of the commands themselves, so it knows all of them.
 */
final class CompletionScript {
  private static final Pattern CHOICE = Pattern.compile("[a-z0-9-]+(\\|[a-z0-9-]+)+");
  private static final int MOST_ARGUMENTS = 4;

  private final Shell shell;
  private final List<String> subcommands = new ArrayList<>();
  private final List<String> options = new ArrayList<>();
  private final List<String> values = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();

  /** The shell that the script is for. */
  enum Shell {
    BASH,
    ZSH,
    FISH;

    private String file() {
      return "completion." + name().toLowerCase(Locale.ROOT);
    }

    /** A branch: what stands for a key. Neither has a quote in it. */
    private String branch(String key, String words) {
      return this == FISH
          ? "    case '%s'%n      echo '%s'".formatted(key, words)
          : "  '%s') REPLY='%s' ;;".formatted(key, words);
    }
  }

  private CompletionScript(Shell shell) {
    this.shell = shell;
  }

  /**
   * The script.
   *
   * @param root the command of which all others are parts
   */
  static String of(CommandLine root, Shell shell) {
    CompletionScript script = new CompletionScript(shell);
    script.add(root, "kvs");
    return script.filled();
  }

  private void add(CommandLine command, String path) {
    CommandSpec spec = command.getCommandSpec();
    List<CommandLine> parts =
        command.getSubcommands().values().stream()
            .distinct()
            .filter(part -> !part.getCommandSpec().usageMessage().hidden())
            .toList();
    if (!parts.isEmpty()) {
      subcommands.add(shell.branch(path, joined(parts.stream().map(CommandLine::getCommandName))));
    }
    options.add(
        shell.branch(
            path,
            joined(
                spec.options().stream()
                    .filter(option -> !option.hidden())
                    .map(OptionSpec::longestName))));
    for (OptionSpec option : spec.options()) {
      if (option.arity().min() > 0) {
        values.add(shell.branch(path + " " + option.longestName(), kind(option)));
      }
    }
    for (PositionalParamSpec argument : spec.positionalParameters()) {
      int last = Math.min(argument.index().max(), MOST_ARGUMENTS);
      for (int i = argument.index().min(); i <= last; i++) {
        arguments.add(shell.branch(path + " " + i, kind(argument)));
      }
    }
    parts.forEach(part -> add(part, path + " " + part.getCommandName()));
  }

  private static String joined(java.util.stream.Stream<String> words) {
    return words.collect(Collectors.joining(" "));
  }

  /** Returns the words that complete a value, or its kind, by its label. */
  private static String kind(ArgSpec argument) {
    String label = argument.paramLabel();
    if (CHOICE.matcher(label).matches()) {
      return label.replace('|', ' ');
    }
    return switch (label) {
      case "TENANT" -> "<tenant>";
      case "TENANT/MAP", "TENANT/MAP|TENANT" -> "<map>";
      case "STORE", "STORE|none" -> "<store>";
      case "FILE", "DIR", "FILE|-" -> "<file>";
      default -> "<any>";
    };
  }

  private String filled() {
    String template = resource(shell.file());
    String whole = shell == Shell.ZSH ? template + resource(Shell.BASH.file()) : template;
    return whole
        .replace("@SUBCOMMANDS@", String.join("\n", subcommands))
        .replace("@OPTIONS@", String.join("\n", options))
        .replace("@VALUES@", String.join("\n", values))
        .replace("@ARGUMENTS@", String.join("\n", arguments));
  }

  private static String resource(String name) {
    try (InputStream in = CompletionScript.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
