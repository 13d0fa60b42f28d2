package io.keyvalueserve.bench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which programs this machine has. */
final class Programs {
  /** Where servers are, though not on every user's path. */
  private static final List<String> USUAL = List.of("/usr/bin", "/usr/local/bin", "/usr/sbin");

  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+(\\.\\d+)?");

  private final List<Path> folders;

  /**
   * @param folders to look into
   */
  Programs(List<Path> folders) {
    this.folders = folders;
  }

  /** Those on the user's path. */
  static Programs here() {
    String path = System.getenv().getOrDefault("PATH", "");
    return new Programs(
        Stream.concat(Stream.of(path.split(File.pathSeparator)), USUAL.stream())
            .filter(folder -> !folder.isEmpty())
            .map(Path::of)
            .toList());
  }

  /** Where it is, if it is installed. */
  Optional<Path> find(Program program) {
    return find(program.file);
  }

  /** Where a file of this name is, if it is installed. */
  Optional<Path> find(String file) {
    return folders.stream()
        .map(folder -> folder.resolve(file))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** What it says its version is; empty if it does not say. */
  static String version(Path binary) {
    Matcher version = VERSION.matcher(Children.run(List.of(binary.toString(), "--version")).text());
    return version.find() ? version.group() : "";
  }

  /**
   * Checks that programs are installed.
   *
   * @throws BenchException if any is not: it names the packages and says how to do without
   */
  void require(Collection<Program> programs) {
    List<Program> missing = programs.stream().filter(p -> find(p).isEmpty()).toList();
    if (!missing.isEmpty()) {
      throw new BenchException(
          "not installed: "
              + missing.stream().map(p -> p.file).collect(Collectors.joining(", "))
              + ". Install the Debian package"
              + (missing.size() == 1 ? " of this name" : "s of these names")
              + " (apt install "
              + missing.stream().map(p -> p.file).collect(Collectors.joining(" "))
              + "), or run without: --without "
              + missing.stream().map(Program::toString).collect(Collectors.joining(",")));
    }
  }
}
