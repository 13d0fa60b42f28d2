package io.keyvalueserve.snapshots;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A repository in a directory: the rules of all, and those of files. */
class DirectoryRepositoryTest extends RepositoryContract {
  @TempDir private Path folder;

  @Override
  Repository repository() {
    return DirectoryRepository.open(folder.resolve("root"));
  }

  @ParameterizedTest
  @EnumSource(
      value = DirectoryRepository.Step.class,
      names = "SYNC_DIRECTORY",
      mode = EnumSource.Mode.EXCLUDE)
  void leavesNothingVisibleOfAWriteThatFails(DirectoryRepository.Step failing) throws IOException {
    Repository sound = repository();
    sound.write("a/old", "old".getBytes(UTF_8));
    Repository broken =
        DirectoryRepository.open(
            folder.resolve("root"),
            step -> {
              if (step == failing) {
                throw new IOException("No space left on device");
              }
            },
            InstantSource.system());
    for (String name : List.of("a/old", "a/new", "b/new")) {
      assertThatThrownBy(() -> broken.write(name, "new content".getBytes(UTF_8)))
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.FULL);
    }
    assertThat(sound.list("")).extracting(Repository.Item::name).containsExactly("a/old");
    assertThat(sound.read("a/old")).asString().isEqualTo("old");
    assertThat(files()).hasSize(1);
  }

  /** A process that dies cannot clean up; an error that is no exception comes nearest. */
  @ParameterizedTest
  @EnumSource(
      value = DirectoryRepository.Step.class,
      names = {"WRITE_SECOND_HALF", "SYNC", "RENAME"})
  void hidesAndSweepsWhatACrashLeaves(DirectoryRepository.Step crash) throws IOException {
    Path[] left = new Path[1];
    Repository dying =
        DirectoryRepository.open(
            folder.resolve("root"),
            step -> {
              if (step == crash) {
                Path temporary = files().getFirst();
                left[0] = temporary.resolveSibling(".tmp-left");
                Path _ = Files.copy(temporary, left[0]);
                throw new IOException("crash");
              }
            },
            InstantSource.system());
    assertThatThrownBy(() -> dying.write("a/new", new byte[10_000])).isNotNull();
    assertThat(files()).containsExactly(left[0]);
    Repository after = repository();
    assertThat(after.list("")).isEmpty();
    assertThat(after.exists("a/new")).isFalse();
    assertThat(after.sweep()).as("it may be a write that runs").isZero();
    Path _ =
        Files.setLastModifiedTime(
            left[0], FileTime.from(Instant.now().minus(Duration.ofHours(25))));
    assertThat(after.sweep()).isOne();
    assertThat(files()).isEmpty();
  }

  @Test
  void sweepRemovesOldEmptyDirectoriesAndNothingElse() {
    Repository now = repository();
    now.write("a/b/c", new byte[1]);
    now.write("a/d/e", new byte[1]);
    now.delete("a/b/c");
    Repository later =
        DirectoryRepository.open(
            folder.resolve("root"),
            step -> {},
            InstantSource.fixed(Instant.now().plus(Duration.ofDays(2))));
    assertThat(later.sweep()).isZero();
    assertThat(now.folders("a/")).containsExactly("d");
    assertThat(now.read("a/d/e")).hasSize(1);
    assertThat(folder.resolve("root/a/b")).doesNotExist();
    now.write("a/b/c", new byte[1]);
    assertThat(now.exists("a/b/c")).isTrue();
  }

  @Test
  void keepsFilesFromOtherUsers() throws IOException {
    repository().write("a/b/c", new byte[1]);
    for (String name : List.of("root", "root/a", "root/a/b")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
          .isEqualTo("rwx------");
    }
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("root/a/b/c"))))
        .isEqualTo("rw-------");
  }

  @Test
  void refusesSymbolicLinksBelowTheRoot() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Path secret = Files.writeString(outside.resolve("secret"), "secret");
    Repository repository = repository();
    Path _ = Files.createSymbolicLink(folder.resolve("root/link"), outside);
    Path _ = Files.createSymbolicLink(folder.resolve("root/file"), secret);
    for (String name : List.of("link/secret", "file", "link/new")) {
      assertThatThrownBy(() -> repository.read(name))
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.DENIED);
      assertThatThrownBy(() -> repository.write(name, new byte[1]))
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.DENIED);
      assertThatThrownBy(() -> repository.delete(name))
          .extracting(RepositoryContract::kindOf)
          .isEqualTo(SnapshotException.Kind.DENIED);
    }
    assertThat(repository.list("")).isEmpty();
    assertThat(repository.folders("")).isEmpty();
    assertThat(secret).hasContent("secret");
    assertThat(outside.resolve("new")).doesNotExist();
  }

  @Test
  void followsALinkToTheRoot() throws IOException {
    repository().write("a", new byte[4]);
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("root"));
    assertThat(DirectoryRepository.open(link).read("a")).hasSize(4);
  }

  @Test
  void saysWhyADirectoryCannotBeUsed() throws IOException {
    assertThatThrownBy(() -> DirectoryRepository.open(folder.resolve("no/such")))
        .hasMessageContaining("mount it on every member")
        .extracting(RepositoryContract::kindOf)
        .isEqualTo(SnapshotException.Kind.NO_REPOSITORY);
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThatThrownBy(() -> DirectoryRepository.open(file))
        .hasMessageContaining("is no directory")
        .extracting(RepositoryContract::kindOf)
        .isEqualTo(SnapshotException.Kind.NO_REPOSITORY);
  }

  @Test
  void anObjectAndAFolderDoNotShareAName() {
    repository().write("a/b", new byte[1]);
    assertThat(repository().find("a")).isNull();
    assertThat(repository().find("a/b/c")).isNull();
    assertThatThrownBy(() -> repository().write("a/b/c", new byte[1]))
        .isInstanceOf(SnapshotException.class);
  }

  @Test
  void refusesAnObjectThatIsTooLarge() throws IOException {
    repository().write("a", new byte[1]);
    try (var file = new RandomAccessFile(folder.resolve("root/a").toFile(), "rw")) {
      file.setLength(Repository.LARGEST_OBJECT + 1L);
    }
    assertThatThrownBy(() -> repository().read("a"))
        .extracting(RepositoryContract::kindOf)
        .isEqualTo(SnapshotException.Kind.TOO_LARGE);
    assertThat(repository().readStart("a", 5)).hasSize(5);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).toList();
    }
  }
}
