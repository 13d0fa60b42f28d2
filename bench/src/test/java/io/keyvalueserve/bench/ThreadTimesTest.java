package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadTimesTest {
  @TempDir Path process;

  private void thread(int id, String name, long nanos) throws IOException {
    Path folder = Files.createDirectories(process.resolve("task").resolve(Integer.toString(id)));
    Files.writeString(folder.resolve("comm"), name + "\n");
    Files.writeString(folder.resolve("schedstat"), nanos + " 77 3\n");
  }

  @Test
  void countsWhatThreadsOfSomeNamesHaveRunSince() throws IOException {
    thread(1, "java", 1_000);
    thread(2, "C1 CompilerThre", 100);
    thread(3, "C2 CompilerThre", 1_000);
    ThreadTimes compilers =
        new ThreadTimes(process.resolve("task"), List.of("C1 Compiler", "C2 Compiler"));
    assertThat(compilers.nanosSince()).isZero();
    thread(1, "java", 5_000);
    thread(2, "C1 CompilerThre", 103);
    thread(3, "C2 CompilerThre", 1_020);
    assertThat(compilers.nanosSince()).isEqualTo(23);
    Files.delete(process.resolve("task/3/comm"));
    assertThat(compilers.nanosSince()).as("one has ended").isZero();
  }

  @Test
  void thereAreNoneInAnotherProgramOrWithoutProc() {
    assertThat(new ThreadTimes(process.resolve("none"), List.of("C1")).nanosSince()).isZero();
  }
}
