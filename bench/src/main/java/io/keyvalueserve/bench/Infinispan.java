package io.keyvalueserve.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Infinispan's doors for Redis clients and for its own, as a peer. It needs another Netty than this
 * product, so it has a project and a class path of its own, which the launcher makes when they are
 * first needed.
 */
final class Infinispan {
  private static final String MAIN = "io.keyvalueserve.bench.infinispan.InfinispanServer";
  private static final String QUERIES = "io.keyvalueserve.bench.infinispan.InfinispanQueryServer";

  /** The class of a client for queries, which says what it is in terms of the JDK. */
  static final String CLIENT = "io.keyvalueserve.bench.infinispan.InfinispanPeople";

  /** Packages of which it has versions of its own. */
  private static final List<String> NOT_OURS = List.of("netty", "slf4j", "logback");

  private static final Pattern VERSION = Pattern.compile("infinispan-core-(.+)\\.jar");

  private static final long START_SECONDS = 60;

  private final Path built;

  private Infinispan(Path built) {
    this.built = built;
  }

  /**
   * Fetches and compiles it, unless that was done before.
   *
   * @throws BenchException if it cannot be had: it says how to do without
   */
  static Infinispan from(Launcher launcher) {
    try {
      return new Infinispan(Path.of(launcher.ask(List.of("infinispan"), Map.of()).getLast()));
    } catch (BenchException e) {
      throw new BenchException(
          "Infinispan cannot be had. The first time it takes Maven and a network, for the packages"
              + " that bench/infinispan/pom.xml names; or run without: --without "
              + DoorPeer.INFINISPAN,
          e);
    }
  }

  /** As its packages are called; empty if they are called otherwise. */
  String version() {
    try (Stream<Path> jars = Files.list(built.resolve("lib"))) {
      return jars.map(jar -> VERSION.matcher(jar.getFileName().toString()))
          .filter(Matcher::matches)
          .map(name -> name.group(1))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      throw new BenchException("the packages of Infinispan cannot be listed: " + built, e);
    }
  }

  /**
   * Starts it, with the JVM options and the heap of this product's servers.
   *
   * @param folder for its output, and what it notes of itself
   */
  Contender start(Path folder, int valueBytes) {
    int port = Ports.free();
    ServerProcess process = start(folder, MAIN, JvmOptions.ofOthers(), port);
    return new Contender(
        DoorPeer.INFINISPAN.toString(),
        process,
        List.of(),
        port,
        new RespWire("", valueBytes),
        process::close);
  }

  /** Starts its door for Hot Rod clients, before people with indexes. */
  ServerProcess startQueries(Path folder, int port) {
    return start(folder, QUERIES, JvmOptions.ofOthers(StockCluster.QUERY_HEAP), port);
  }

  /**
   * The command of a process of this bench that can load {@link #CLIENT}. It has Infinispan's Netty
   * and logging, and not ours.
   */
  List<String> load(String heap, Class<?> main) {
    String own = Children.packages(name -> NOT_OURS.stream().noneMatch(name::startsWith));
    return Children.java(
        classPath() + File.pathSeparator + own,
        JvmOptions.ofOthers(heap),
        main.getName(),
        List.of());
  }

  private String classPath() {
    return built.resolve("classes") + File.pathSeparator + built.resolve("lib") + "/*";
  }

  private ServerProcess start(Path folder, String main, List<String> jvm, int port) {
    Path state = folder.resolve("state");
    List<String> arguments = List.of(Integer.toString(port), state.toString());
    ServerProcess process =
        ServerProcess.program(folder, Children.java(classPath(), jvm, main, arguments));
    try {
      // its port is open too early to tell
      process.await(
          () -> Files.exists(state.resolve("ready")),
          20,
          START_SECONDS,
          "Infinispan was not ready");
      return process;
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }
}
