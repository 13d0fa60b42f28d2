package io.keyvalueserve.acceptance;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How tests start JVMs of this product: with the options that the launcher gives to every user's,
 * and a start-up cache that it makes for these tests. A server is ready in a quarter of the time.
 *
 * <p>They do without the second compiler, which takes as much processor time as all the rest of a
 * server that lives for seconds. The long form of {@code kvs bench crash} has it, and so have tests
 * of the modules that look for races.
 */
final class ServerJvm {
  private static final String MAIN = "io.keyvalueserve.cli.Main";

  /** What they choose, as a user would by {@code KVS_JAVA_OPTS}. */
  static final String CHOSEN = "-Xmx512m -XX:TieredStopAtLevel=1";

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static final String PACKAGES = classPath(false);
  private static final String FOLDERS = classPath(true);
  private static final List<String> OPTIONS =
      Commands.run(
              Scratch.target(),
              Map.of("KVS_JAVA_OPTS", CHOSEN),
              PATIENCE,
              List.of(System.getenv("KVS_LAUNCHER"), "jvm-options", PACKAGES))
          .lines()
          .toList();

  private ServerJvm() {}

  /** The command line of {@code kvs} with these words. */
  static List<String> command(String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    // The cache is of the packages, and holds for whatever begins with them.
    command.addAll(List.of("-cp", PACKAGES + File.pathSeparator + FOLDERS, MAIN));
    command.addAll(List.of(words));
    return command;
  }

  private static String classPath(boolean folders) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> Files.isDirectory(Path.of(entry)) == folders)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
