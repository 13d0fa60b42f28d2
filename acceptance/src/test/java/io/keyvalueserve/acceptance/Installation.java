package io.keyvalueserve.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What tests install from a public registry: a folder of {@code src/test/clients} says in which
 * versions. It goes into {@code target/clients} and stays there until that folder changes. Several
 * JVMs may ask at a time: one of them installs, and the others wait.
 */
final class Installation {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private Installation() {}

  /**
   * Installs, if that has not been done.
   *
   * @param name of the folder
   * @param commands that install, one after the other
   * @return where it is
   */
  static Path of(String name, Map<String, String> environment, List<String> commands) {
    Path sources = Scratch.probeSources().resolve(name);
    Path folder = Scratch.target().resolve("clients").resolve(name);
    Path stamp = folder.resolve("installed-from");
    try {
      Files.createDirectories(folder.getParent());
      try (FileChannel channel =
              FileChannel.open(
                  folder.resolveSibling(name + ".lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        String fingerprint = fingerprint(sources);
        if (!Files.exists(stamp) || !Files.readString(stamp).equals(fingerprint)) {
          Scratch.delete(folder);
          Files.createDirectories(folder);
          for (Path file : files(sources)) {
            Files.copy(file, folder.resolve(file.getFileName()));
          }
          for (String command : commands) {
            String _ = Commands.run(folder, environment, PATIENCE, List.of(command.split(" ", -1)));
          }
          Files.writeString(stamp, fingerprint);
        }
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("installing " + name, e);
    }
  }

  private static String fingerprint(Path folder) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : files(folder)) {
        digest.update(Files.readAllBytes(file));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
