package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoorPeersTest {
  @TempDir private Path folder;
  private final StringWriter said = new StringWriter();

  @Test
  void leavesValkeyOutWhereItIsNotInstalled() throws IOException {
    program("redis-server", "echo 7.0.15");
    DoorPeers peers =
        peers(EnumSet.of(DoorPeer.MEMCACHED, DoorPeer.INFINISPAN), program("kvs", "exit 1"));
    assertThat(peers.has(DoorPeer.REDIS)).isTrue();
    assertThat(peers.has(DoorPeer.VALKEY)).isFalse();
    assertThat(peers.has(DoorPeer.INFINISPAN)).isFalse();
    assertThat(peers.versions()).isEqualTo("; redis 7.0.15");
    assertThat(said.toString()).contains("valkey-server is not installed");
  }

  @Test
  void saysHowToDoWithoutInfinispanWhereItCannotBeHad() throws IOException {
    Path launcher = program("kvs", "exit 1");
    assertThatThrownBy(() -> peers(EnumSet.complementOf(EnumSet.of(DoorPeer.INFINISPAN)), launcher))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("Infinispan cannot be had")
        .hasMessageContaining("--without infinispan");
  }

  @Test
  void takesInfinispanFromTheFolderThatTheLauncherNames() throws IOException {
    Files.createDirectories(folder.resolve("made/lib"));
    Files.createFile(folder.resolve("made/lib/infinispan-core-16.0.7.jar"));
    Path launcher = program("kvs", "[ $1 = infinispan ] && echo " + folder.resolve("made"));
    DoorPeers peers = peers(EnumSet.complementOf(EnumSet.of(DoorPeer.INFINISPAN)), launcher);
    assertThat(peers.has(DoorPeer.INFINISPAN)).isTrue();
    assertThat(peers.versions()).startsWith("; infinispan 16.0.7");
  }

  @Test
  void keepsInfinispanOffOurClassPath() {
    assertThatThrownBy(() -> Class.forName("org.infinispan.server.resp.RespServer"))
        .isInstanceOf(ClassNotFoundException.class);
    assertThat(System.getProperty("java.class.path")).doesNotContain("infinispan-");
  }

  /** Where it was fetched before: fetching it takes a network. */
  @Test
  void infinispanAnswersOurLoad() {
    Path launcher = Path.of(System.getenv("KVS_LAUNCHER"));
    assumeTrue(
        Files.exists(launcher.resolveSibling("bench/target/infinispan/built")),
        "Infinispan was not fetched: './kvs infinispan' does it");
    List<Contender> started = new ArrayList<>();
    try {
      peers(EnumSet.complementOf(EnumSet.of(DoorPeer.INFINISPAN)), launcher)
          .start(folder.resolve("logs"), 100, started);
      RawLoad.fill(started.getFirst(), 500);
      Shape shape = new Shape(1, 3, 4, Mix.of("50/50"), 0);
      Window window = RawLoad.once(started.getFirst(), shape, 500, 1, 0, 200_000_000);
      assertThat(window.allOperations()).isPositive();
    } finally {
      started.forEach(Contender::close);
    }
  }

  private DoorPeers peers(EnumSet<DoorPeer> without, Path launcher) {
    return new DoorPeers(
        without,
        new Programs(List.of(folder)),
        new Launcher(launcher.toString()),
        new Progress(new PrintWriter(said, true)));
  }

  private Path program(String name, String script) throws IOException {
    Path file =
        Files.createFile(
            folder.resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return Files.writeString(file, "#!/bin/sh\n" + script + "\n");
  }
}
