package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.server.config.SettingRows;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Each flag of {@code kvs serve} is a setting, and its help names that setting's default. */
class ServerOptionsTest {
  /** Groups of settings that only {@code kvs.yaml} has, with the exceptions that are flags. */
  private static final Set<String> OF_FILE_ALONE =
      Set.of(
          "client",
          "detection",
          "extensions",
          "fast-path",
          "http",
          "partition-count",
          "postgres",
          "reclaim",
          "resp",
          "restart.chunk-mib",
          "restart.keys-first-below-mib",
          "restart.scrub-hours",
          "scripts",
          "unauthenticated",
          "usage",
          "webhook");

  private static final Pattern DEFAULT = Pattern.compile("(?:.* )?Default: (.*)");
  private static final Map<String, String> SETTINGS = SettingRows.defaults();

  private static List<OptionSpec> options() {
    return new CommandLine(new ServerOptions())
        .getCommandSpec().options().stream()
            .filter(option -> !option.longestName().equals("--config"))
            .toList();
  }

  /** Returns the path of the setting that a flag sets. */
  private static String settingOf(OptionSpec option) {
    ServerOptions given = new ServerOptions();
    boolean isSwitch = option.arity().max() == 0;
    new CommandLine(given).parseArgs(option.longestName() + (isSwitch ? "" : "=a value"));
    assertThat(given.flags()).as(option.longestName()).hasSize(1);
    assertThat(given.flags()).containsValue(isSwitch ? "true" : "a value");
    return given.flags().keySet().iterator().next();
  }

  @Test
  void eachSettingIsAFlagOrOfTheFileAlone() {
    Set<String> flags = new TreeSet<>();
    for (OptionSpec option : options()) {
      assertThat(flags.add(settingOf(option))).as(option.longestName()).isTrue();
    }
    Set<String> others = new TreeSet<>(SETTINGS.keySet());
    assertThat(others).containsAll(flags);
    others.removeAll(flags);
    assertThat(others).allMatch(path -> OF_FILE_ALONE.contains(path) || isInGroup(path));
    assertThat(OF_FILE_ALONE)
        .allMatch(one -> others.stream().anyMatch(path -> (path + ".").startsWith(one + ".")));
  }

  private static boolean isInGroup(String path) {
    return OF_FILE_ALONE.contains(path.split("[.]", 2)[0]);
  }

  @Test
  void theHelpOfAFlagNamesTheDefault() {
    for (OptionSpec option : options()) {
      String usual = SETTINGS.get(settingOf(option));
      if (usual != null && !Set.of("", "auto", "false").contains(usual)) {
        Matcher help = DEFAULT.matcher(option.description()[0]);
        assertThat(help.matches()).as(option.longestName()).isTrue();
        assertThat(help.group(1)).as(option.longestName()).isEqualTo(usual);
      }
    }
  }
}
