package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Wall clocks that are set for single processes, without root and without touching the machine's
 * clock. A small library does it, which is compiled from {@code clock.c}. The processes load it.
 *
 * <p>libfaketime will not do: with it each timed wait of a JVM's monitor ends at once.
 */
final class SteppedClocks {
  private static final String SOURCE = "clock.c";
  private static final String COMPILER = "cc";

  private final Path library;

  /**
   * Compiles the library.
   *
   * @param folder for it; made if it is not there
   * @throws BenchException if there is no C compiler, or it does not compile the library
   */
  SteppedClocks(Path folder) throws IOException {
    library = folder.resolve("clock.so");
    Path source = folder.resolve(SOURCE);
    Files.createDirectories(folder);
    try (InputStream text = SteppedClocks.class.getResourceAsStream(SOURCE)) {
      Files.write(source, Objects.requireNonNull(text, SOURCE).readAllBytes());
    }
    Path compiler =
        compiler().orElseThrow(() -> new BenchException("no C compiler is installed: " + COMPILER));
    run(
        compiler.toString(),
        "-shared",
        "-fPIC",
        "-O2",
        "-o",
        library.toString(),
        source.toString(),
        "-ldl",
        "-lpthread");
  }

  /** The C compiler, if one is installed. */
  static Optional<Path> compiler() {
    return Programs.here().find(COMPILER);
  }

  private static void run(String... command) {
    Children.Said said = Children.run(List.of(command));
    if (said.exit() != 0) {
      throw new BenchException(
          "the library that sets clocks needs glibc 2.30 or later and its headers (apt install"
              + " gcc libc6-dev); '"
              + String.join(" ", command)
              + "' said: "
              + said.text().strip());
    }
  }

  /**
   * What the command of a process begins with whose clock a file sets.
   *
   * @param clock the file, which {@link #set} has written
   */
  List<String> before(Path clock) {
    return List.of("env", "LD_PRELOAD=" + library.toAbsolutePath(), "KVS_CLOCK=" + clock);
  }

  /**
   * Sets the clocks of the processes that a file belongs to. They have the new time at once.
   *
   * @param seconds how far they are ahead of the machine's; negative for behind
   */
  static void set(Path clock, long seconds) {
    try (FileChannel file =
        FileChannel.open(
            clock, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      file.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES)
          .order(ByteOrder.nativeOrder())
          .putLong(0, seconds);
    } catch (IOException e) {
      throw new UncheckedIOException("a clock cannot be set: " + clock, e);
    }
  }
}
