package io.keyvalueserve.snapshots;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The encrypted scratch file. */
class SealedSpoolTest {
  @TempDir private Path folder;

  private Path onlyFile() throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.findFirst().orElseThrow();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 65_532, 65_536, 200_000})
  void givesBackItsFramesInOrder(int most) {
    Random random = new Random(most);
    List<byte[]> frames = new ArrayList<>();
    try (SealedSpool spool = SealedSpool.create(folder)) {
      for (int i = 0; i < 40; i++) {
        byte[] frame = i % 4 == 0 ? new byte[most] : Samples.bytes(random, most);
        frames.add(frame);
        spool.append(frame);
      }
      assertThat(spool.frames()).isEqualTo(40);
      for (int round = 0; round < 2; round++) {
        SealedSpool.Reader reader = spool.reader();
        for (byte[] frame : frames) {
          assertThat(reader.next()).isEqualTo(frame);
        }
        assertThat(reader.next()).isNull();
      }
      assertThatThrownBy(() -> spool.append(new byte[1])).isInstanceOf(IllegalStateException.class);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void anEmptySpoolHasNoFrames() {
    try (SealedSpool spool = SealedSpool.create(folder)) {
      assertThat(spool.reader().next()).isNull();
    }
  }

  @Test
  void leavesNoClearTextInItsFile() throws IOException {
    try (SealedSpool spool = SealedSpool.create(folder)) {
      for (int i = 0; i < 5_000; i++) {
        spool.append("a secret value that is long enough".getBytes(ISO_8859_1));
      }
      SealedSpool.Reader _ = spool.reader();
      String content = new String(Files.readAllBytes(onlyFile()), ISO_8859_1);
      assertThat(content.length()).isGreaterThan(150_000);
      assertThat(content).doesNotContain("secret");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(onlyFile())))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void findsOutAChangeOfItsFile() throws IOException {
    try (SealedSpool spool = SealedSpool.create(folder)) {
      spool.append(new byte[200_000]);
      SealedSpool.Reader _ = spool.reader();
      byte[] content = Files.readAllBytes(onlyFile());
      for (int at : new int[] {0, 70_000, content.length - 1}) {
        byte[] changed = content.clone();
        changed[at] ^= 4;
        Path _ = Files.write(onlyFile(), changed);
        assertThatThrownBy(() -> spool.reader().next())
            .isInstanceOf(SnapshotException.class)
            .hasMessageContaining("changed by something else");
      }
      for (int length : new int[] {0, 10, 65_552, 100_000, content.length - 1}) {
        Path _ = Files.write(onlyFile(), Arrays.copyOf(content, length));
        assertThatThrownBy(() -> spool.reader().next()).isInstanceOf(SnapshotException.class);
      }
      byte[] swapped = content.clone();
      System.arraycopy(content, 0, swapped, 65_552, 65_552);
      System.arraycopy(content, 65_552, swapped, 0, 65_552);
      Path _ = Files.write(onlyFile(), swapped);
      assertThatThrownBy(() -> spool.reader().next()).isInstanceOf(SnapshotException.class);
    }
  }

  @Test
  void sweepRemovesTheSpoolsOfTheDeadAlone() throws IOException {
    Path stale = Files.write(folder.resolve("spool-1.sealed"), new byte[10]);
    Path other = Files.write(folder.resolve("other"), new byte[10]);
    try (SealedSpool spool = SealedSpool.create(folder)) {
      spool.append(new byte[5]);
      assertThat(SealedSpool.sweep(folder)).isOne();
      assertThat(stale).doesNotExist();
      assertThat(other).exists();
      assertThat(spool.reader().next()).hasSize(5);
    }
    assertThat(SealedSpool.sweep(folder.resolve("no-such"))).isZero();
  }
}
