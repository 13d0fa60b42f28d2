package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: {@code ./kvs} finds the right JDK, builds when it has to and only then, and passes the
 * flags it should. Method: the script itself, in a folder with a Maven that makes empty files and a
 * JDK whose {@code java} prints its arguments.
 */
class LauncherAcceptanceTest {
  private static final long PATIENCE_SECONDS = 60;

  @TempDir private Path folder;
  private Path project = Path.of("");
  private Path jdk = Path.of("");
  private Path builds = Path.of("");

  private record Ran(int code, String text) {}

  @BeforeEach
  void layOutAProject() throws IOException {
    project = Files.createDirectories(folder.resolve("project"));
    Path script = Scratch.probeSources().resolve("../../../../kvs").normalize();
    Files.copy(script, project.resolve("kvs"));
    write(project.resolve("server/src/main/java/A.java"), "");
    jdk = folder.resolve("jdk");
    write(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
    executable(jdk.resolve("bin/javac"), "");
    executable(jdk.resolve("bin/java"), "printf '%s\\n' \"$@\"");
    builds = folder.resolve("builds");
    executable(
        folder.resolve("bin/mvn"),
        """
        echo built >> "$BUILDS"
        sleep "${BUILD_SECONDS:-0}"
        [ -z "${EDITED:-}" ] || { sleep 0.1; touch "$EDITED"; }
        for module in server bench; do
          mkdir -p $module/target/kvs/lib
          touch $module/target/kvs-$module-1.jar
        done
        """);
  }

  @Test
  void buildsOnceAndAgainWhenASourceIsNewer() throws Exception {
    assertThat(run(Map.of()).text()).contains("building KeyValueServe");
    assertThat(run(Map.of()).text()).doesNotContain("building KeyValueServe");
    assertThat(builds()).isEqualTo(1);
    Thread.sleep(20);
    write(project.resolve("server/src/main/java/B.java"), "");
    run(Map.of());
    assertThat(builds()).isEqualTo(2);
  }

  /** Java reads arguments in the locale's encoding. */
  @Test
  void keysOutsideAsciiArriveWhateverTheLocale() throws Exception {
    executable(jdk.resolve("bin/java"), "printf 'locale=%s\\n' \"$LC_ALL\"");
    assertThat(run(Map.of("LC_ALL", "C")).text()).contains("locale=C.UTF-8");
    assertThat(run(Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", "")).text())
        .contains("locale=C.UTF-8");
    assertThat(run(Map.of("LC_ALL", "de_DE.UTF-8")).text()).contains("locale=de_DE.UTF-8");
  }

  @Test
  void doesNotMissWhatIsEditedWhileItBuilds() throws Exception {
    Path edited = project.resolve("server/src/main/java/A.java");
    run(Map.of("EDITED", edited.toString()));
    run(Map.of());
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void buildsOnceForTwoWhoComeAtTheSameTime() throws Exception {
    Process first = start(project.resolve("kvs"), Map.of("BUILD_SECONDS", "2"));
    Process second = start(project.resolve("kvs"), Map.of("BUILD_SECONDS", "2"));
    Ran one = await(first);
    Ran other = await(second);
    assertThat(one.code()).as(one.text()).isZero();
    assertThat(other.code()).as(other.text()).isZero();
    assertThat(one.text() + other.text()).contains("waiting for another build to end");
    assertThat(builds()).isEqualTo(1);
    assertThat(project.resolve("target/build.lock")).doesNotExist();
  }

  @Test
  void takesTheLockOfABuildThatWasKilled() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    write(project.resolve("target/build.lock/pid"), Long.toString(dead.pid()));
    assertThat(run(Map.of()).code()).isZero();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void letsTheNextBuildWhenOneFails() throws Exception {
    executable(folder.resolve("bin/mvn"), "echo '[ERROR] no good'; exit 1");
    Ran failed = run(Map.of());
    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.text()).contains("[ERROR] no good", "the build failed");
    assertThat(project.resolve("target/build.lock")).doesNotExist();
  }

  @Test
  void refusesAChosenJdkThatIsNoneAndLooksBeyondOneThatWasNotChosen() throws Exception {
    Path old = folder.resolve("old");
    write(old.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    executable(old.resolve("bin/javac"), "");
    Ran refused = run(Map.of("KVS_JAVA_HOME", old.toString()));
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.text())
        .contains("KVS_JAVA_HOME=" + old + " is no JDK 25 (it is version 17.0.1)");
    Ran none = run(Map.of("KVS_JAVA_HOME", folder.resolve("none").toString()));
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.text()).contains("there is no such folder");
    assertThat(builds()).isZero();

    Map<String, String> passedOver = new HashMap<>();
    passedOver.put("KVS_JAVA_HOME", "");
    passedOver.put("JAVA_HOME", jdk.toString());
    assertThat(run(passedOver).text()).contains("io.keyvalueserve.cli.Main");
  }

  @Test
  void keepsTheHeapSmallUnlessToldOtherwise() throws Exception {
    assertThat(serve(Map.of()).text().lines())
        .contains("-Xms256m", "-Xmx256m", "-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders")
        .contains("io.keyvalueserve.cli.Main", "serve");
    assertThat(serve(Map.of("KVS_JAVA_OPTS", "-XX:+UseZGC -Xmx1g")).text().lines())
        .contains("-XX:+UseZGC", "-Xmx1g")
        .doesNotContain("-XX:+UseG1GC", "-Xms256m", "-Xmx256m");
    assertThat(serve(Map.of("KVS_JAVA_OPTS", "-Xms512m")).text().lines())
        .contains("-Xms512m", "-XX:+UseG1GC")
        .doesNotContain("-Xms256m", "-Xmx256m");
    assertThat(serve(Map.of("JAVA_TOOL_OPTIONS", "-XX:+UseSerialGC")).text().lines())
        .doesNotContain("-XX:+UseG1GC");
    assertThat(serve(Map.of("KVS_JAVA_OPTS", "-XX:-UseCompactObjectHeaders")).text().lines())
        .doesNotContain("-XX:+UseCompactObjectHeaders");
  }

  @Test
  void givesACommandThatEndsSoonOneCompilerAndAHeapThatGrows() throws Exception {
    assertThat(run(Map.of()).text().lines())
        .contains("-Xms32m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .doesNotContain("-XX:+UseG1GC");
    assertThat(run(Map.of("KVS_JAVA_OPTS", "-XX:+UseZGC -Xmx1g")).text().lines())
        .contains("-XX:+UseZGC", "-Xmx1g")
        .doesNotContain("-XX:+UseSerialGC", "-Xms32m");
  }

  @Test
  void isFoundBehindSymbolicLinks() throws Exception {
    Path links = Files.createDirectories(folder.resolve("links"));
    Files.createSymbolicLink(links.resolve("near"), Path.of("../project/kvs"));
    Files.createSymbolicLink(folder.resolve("far"), Path.of("links/near"));
    Ran ran = await(start(folder.resolve("far"), Map.of()));
    assertThat(ran.code()).as(ran.text()).isZero();
    assertThat(project.resolve("bench/target/kvs/built")).exists();
  }

  private Ran run(Map<String, String> environment) throws Exception {
    return await(start(project.resolve("kvs"), environment));
  }

  private Ran serve(Map<String, String> environment) throws Exception {
    return await(start(project.resolve("kvs"), environment, "serve"));
  }

  private Process start(Path script, Map<String, String> environment) throws IOException {
    return start(script, environment, "version");
  }

  private Process start(Path script, Map<String, String> environment, String command)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(List.of(script.toString(), command))
            .directory(folder.toFile())
            .redirectErrorStream(true);
    Map<String, String> variables = builder.environment();
    variables.keySet().removeIf(name -> name.contains("JAVA") || name.startsWith("KVS_"));
    variables.put("PATH", folder.resolve("bin") + ":" + variables.getOrDefault("PATH", "/bin"));
    variables.put("BUILDS", builds.toString());
    variables.put("KVS_JAVA_HOME", jdk.toString());
    variables.putAll(environment);
    return builder.start();
  }

  private static Ran await(Process process) throws Exception {
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the launcher did not end:\n" + text);
    }
    return new Ran(process.exitValue(), text);
  }

  private int builds() throws IOException {
    return Files.exists(builds) ? Files.readAllLines(builds).size() : 0;
  }

  private static void executable(Path file, String script) throws IOException {
    write(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, text);
  }
}
