package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The options of a server's JVM: those that the launcher {@code ./kvs} gives to every user's. */
final class JvmOptions {
  private static final String CHOSEN = "KVS_JAVA_OPTS";

  private JvmOptions() {}

  /**
   * What users get who choose nothing; or who chose by {@code KVS_JAVA_OPTS}, as this bench did.
   */
  static List<String> usual() {
    return ask(Map.of());
  }

  /**
   * What users get who choose these options by {@code KVS_JAVA_OPTS}, after those that this bench
   * was started with: the JVM takes the later one of two that contradict each other.
   */
  static List<String> with(List<String> chosen) {
    String before = Objects.requireNonNullElse(System.getenv(CHOSEN), "");
    return ask(Map.of(CHOSEN, (before + " " + String.join(" ", chosen)).strip()));
  }

  /** Those for other classes than this product's, of which the launcher keeps a cache. */
  static List<String> ofOthers(String... chosen) {
    return with(List.of(chosen)).stream().filter(option -> !option.startsWith("-XX:AOT")).toList();
  }

  private static List<String> ask(Map<String, String> environment) {
    return new ArrayList<>(
        Launcher.own().ask(List.of("jvm-options", Children.packages()), environment));
  }
}
