package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
  @Test
  void namesAllMissingPackagesAndHowToDoWithout(@TempDir Path folder) throws IOException {
    program(folder, "redis-server");
    Programs programs = new Programs(List.of(folder));
    assertThatThrownBy(() -> programs.require(List.of(Program.values())))
        .isInstanceOf(BenchException.class)
        .hasMessage(
            "not installed: valkey-server, memcached. Install the Debian packages of these names"
                + " (apt install valkey-server memcached), or run without: --without"
                + " valkey,memcached");
    programs.require(List.of(Program.REDIS));
  }

  @Test
  void takesWhatCanBeRunOnly(@TempDir Path folder) throws IOException {
    Path redis = program(folder, "redis-server");
    Files.createFile(folder.resolve("memcached"));
    Programs programs = new Programs(List.of(folder));
    assertThat(programs.find(Program.REDIS)).contains(redis);
    assertThat(programs.find(Program.MEMCACHED)).isEmpty();
  }

  @Test
  void readsTheVersion(@TempDir Path folder) throws IOException {
    Path redis = program(folder, "redis-server");
    Files.writeString(redis, "#!/bin/sh\necho Redis server v=7.0.15 sha=00000000:0 malloc=libc\n");
    assertThat(Programs.version(redis)).isEqualTo("7.0.15");
  }

  private static Path program(Path folder, String name) throws IOException {
    return Files.createFile(
        folder.resolve(name),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }
}
