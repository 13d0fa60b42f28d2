package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.journal.JournalConfig;
import io.keyvalueserve.journal.RecoverySink;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands on a log of this machine's file system: some chunks, two maps, a blob. */
class DataCommandTest {
  private static final JournalConfig CONFIG =
      JournalConfig.of("cluster-1", "member-1", 7, 2).withSizes(4, 8 << 10, 64 << 10);
  private static final int KEYS = 500;

  @TempDir private Path data;
  private Path log = Path.of("");

  private record Ran(int code, String out, String err) {
    JsonNode json() throws IOException {
      return new ObjectMapper().readTree(out);
    }
  }

  @BeforeEach
  void fill() throws IOException {
    log = data.resolve("log");
    try (Journal journal = Journal.open(CONFIG, FileDisk.at(log), new Records())) {
      Map<String, Long> positions = new HashMap<>();
      for (int i = 0; i < 4 * KEYS; i++) {
        String key = "key" + i % KEYS;
        byte[] payload = (key + "x".repeat(300)).getBytes(StandardCharsets.US_ASCII);
        int map = journal.map("acme/map" + i % 2);
        long position = journal.put(i % 5, map, 0, 0, payload, 0, key.length());
        Long replaced = positions.put(key, position);
        if (replaced != null) {
          journal.dead(replaced, payload.length);
        }
      }
      byte[] large = new byte[100_000];
      journal.put(1, journal.map("globex/large"), 0, 0, large, 0, 3);
    }
  }

  @Test
  void verifiesAWholeLogOfADataDirectoryOrOfItsOwn() throws IOException {
    for (Path directory : List.of(data, log)) {
      Ran ran = run("data", "verify", directory.toString());
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.out())
          .containsPattern("log +" + log)
          .containsPattern("cluster +cluster-1")
          .containsPattern("member +member-1")
          .containsPattern("payload format +7")
          .containsPattern("alive +501 records in 3 maps, ")
          .endsWith("the log is whole" + System.lineSeparator());
    }
    JsonNode json = run("data", "verify", data.toString(), "--json").json();
    assertThat(json.path("whole").asBoolean()).isTrue();
    assertThat(json.path("damage")).isEmpty();
    assertThat(json.path("readBytes").asLong()).isGreaterThan(4 * KEYS * 300);
  }

  @Test
  void tellsEachDamageWithWhereItIsAndWhatToDo() throws IOException {
    List<Path> chunks = chunks();
    flip(chunks.get(1), 20_000);
    Files.delete(chunks.get(2));
    Map<Path, Long> before = sizes();
    Ran ran = run("data", "verify", data.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .contains("BAD_FRAMES", "MISSING_CHUNK", chunks.get(1) + " at ", chunks.get(2) + " at 0")
        .contains("What to do: the records in these bytes are lost here")
        .contains("What to do: bring the file back before the member starts")
        .endsWith("the log is damaged in 2 places" + System.lineSeparator());
    JsonNode json = run("data", "verify", data.toString(), "--json").json();
    assertThat(json.path("whole").asBoolean()).isFalse();
    JsonNode bad =
        StreamSupport.stream(json.path("damage").spliterator(), false)
            .filter(each -> each.path("kind").asText().equals("BAD_FRAMES"))
            .findFirst()
            .orElseThrow();
    assertThat(bad.path("file").asText()).isEqualTo(chunks.get(1).toString());
    assertThat(bad.path("offset").asLong()).isBetween(19_600L, 20_000L);
    assertThat(bad.path("bytes").asLong()).isBetween(300L, 400L);
    assertThat(bad.path("ofCrash").asBoolean()).isFalse();
    assertThat(bad.path("remedy").asText()).isNotEmpty();
    assertThat(sizes()).as("nothing has changed").isEqualTo(before);
  }

  @Test
  void inspectsChunksAndMaps() throws IOException {
    Ran plain = run("data", "inspect", data.toString());
    assertThat(plain.code()).as(plain.err()).isZero();
    assertThat(plain.out())
        .containsPattern("chunks +\\d+ \\(\\d+ sealed\\)")
        .containsPattern("amplification +[2-9]\\.\\d\\d ")
        .containsPattern("blobs +1, 97.7 KiB")
        .doesNotContain("STREAM", "acme/map0");
    Ran all = run("data", "inspect", "--chunks", "--maps", data.toString());
    assertThat(all.out())
        .containsPattern("CHUNK +STREAM +STATE +BYTES +LIVE +DEAD +FRAMES +RECORDS")
        .containsPattern("MAP +RECORDS +BYTES\\R+globex/large +1 +97.7 KiB\\R+acme/map[01] +250 ");
    assertThat(all.out().lines().filter(line -> line.contains(" sealed  ")).count())
        .isEqualTo(chunks().size());
    JsonNode json = run("data", "inspect", data.toString(), "--json").json();
    assertThat(json.path("chunks")).hasSize(chunks().size());
    long records = 0;
    for (JsonNode chunk : json.path("chunks")) {
      records += chunk.path("records").asLong();
      assertThat(chunk.path("deadBytes").asLong() + chunk.path("liveBytes").asLong())
          .isEqualTo(chunk.path("fileBytes").asLong());
    }
    assertThat(records).isEqualTo(KEYS + 1);
    assertThat(json.path("maps")).hasSize(3);
    assertThat(json.path("blobs").asInt()).isEqualTo(1);
    assertThat(json.path("cluster").asText()).isEqualTo("cluster-1");
  }

  @Test
  void compactsAndTellsFromWhatToWhat() throws IOException {
    Records before = new Records();
    Journal.open(CONFIG, FileDisk.at(log), before).close();
    Ran ran = run("data", "compact", data.toString(), "--json");
    assertThat(ran.code()).as(ran.err()).isZero();
    long was = ran.json().path("before").path("fileBytes").asLong();
    long is = ran.json().path("after").path("fileBytes").asLong();
    assertThat(is).isLessThan(was / 2);
    assertThat(ran.json().path("after").path("spaceAmplification").asDouble()).isLessThan(1.5);
    assertThat(sizes().values().stream().mapToLong(Long::longValue).sum()).isLessThan(is + 150_000);
    Ran again = run("data", "compact", data.toString());
    assertThat(again.out())
        .containsPattern("CHUNKS +BYTES +LIVE +AMPLIFICATION +BLOBS")
        .containsPattern("before +\\d+ ")
        .containsPattern("after +\\d+ ");
    Records after = new Records();
    try (Journal journal = Journal.open(CONFIG, FileDisk.at(log), after)) {
      assertThat(journal.report().damage()).isEmpty();
    }
    assertThat(after.payloads).isEqualTo(before.payloads).hasSize(KEYS + 1);
  }

  @Test
  void refusesALogThatIsInUseAndNamesTheProcess() throws IOException {
    try (Journal journal = Journal.open(CONFIG, FileDisk.at(log), new Records())) {
      for (String command : List.of("verify", "inspect", "compact")) {
        Ran ran = run("data", command, data.toString());
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
            .contains("is locked by process " + ProcessHandle.current().pid())
            .doesNotContain("\tat ", "KVS_DEBUG");
      }
      assertThat(journal.failure()).isNull();
    }
  }

  @Test
  void saysWhereItLookedForALog() throws IOException {
    Path empty = Files.createDirectory(data.resolve("empty"));
    for (String command : List.of("verify", "inspect", "compact")) {
      Ran ran = run("data", command, empty.toString());
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).contains("no log is in " + empty, "empty/log/identity", "--data");
    }
    assertThat(empty).isEmptyDirectory();
    assertThat(run("data").code()).isEqualTo(2);
    assertThat(run("data", "verify").code()).isEqualTo(2);
    for (String command : List.of("verify", "inspect", "compact")) {
      assertThat(run("data", command, "--help").out()).contains("DIR", "--json");
    }
  }

  /** The chunk was being written: the end of a sealed one is known. */
  @Test
  void whatACrashCutOffIsToldAndIsNoDamage() throws Exception {
    int sealed = chunks().size();
    Path crashed = data.resolve("crashed");
    try (Journal journal = Journal.open(CONFIG, FileDisk.at(log), new Records())) {
      int map = journal.map("acme/map0");
      put(journal, map, 10);
      journal.awaitCertain();
      byte[] certain = Files.readAllBytes(log.resolve("certain"));
      put(journal, map, 90);
      journal.awaitCertain();
      copy(log, crashed);
      Files.write(crashed.resolve("certain"), certain); // as if nobody had been told of the rest
    }
    Path last = chunks(crashed).get(sealed); // those behind it are empty
    try (RandomAccessFile file = new RandomAccessFile(last.toFile(), "rw")) {
      file.setLength(4096 + 8192); // neither the end of a block nor an index
      file.seek(4096 + 8192 - 100);
      file.write(new byte[] {1, 2, 3});
    }
    Ran ran = run("data", "verify", crashed.toString());
    assertThat(ran.out()).contains("TORN_TAIL", "What to do: nothing", "the log is whole");
    assertThat(ran.code()).isZero();
  }

  private static void put(Journal journal, int map, int records) {
    for (int i = 0; i < records; i++) {
      journal.put(0, map, 0, 0, new byte[300], 0, 3);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(from.relativize(each)));
      }
    }
  }

  private List<Path> chunks() throws IOException {
    return chunks(log);
  }

  private static List<Path> chunks(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log.resolve("chunks"))) {
      return files.sorted().toList();
    }
  }

  private Map<Path, Long> sizes() throws IOException {
    Map<Path, Long> sizes = new HashMap<>();
    for (String part : List.of("chunks", "blobs")) {
      try (Stream<Path> files = Files.list(log.resolve(part))) {
        for (Path file : files.toList()) {
          sizes.put(file, Files.size(file));
        }
      }
    }
    return sizes;
  }

  private static void flip(Path file, long offset) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(offset);
      int was = bytes.read();
      bytes.seek(offset);
      bytes.write(was ^ 1);
    }
  }

  private static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        KvsCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(arguments);
    return new Ran(code, out.toString(), err.toString());
  }

  /** What a log holds, by key. */
  private static final class Records implements RecoverySink {
    private final Map<String, String> payloads = new HashMap<>();

    @Override
    public synchronized void put(Frame frame) {
      payloads.put(key(frame), new String(frame.payload(), StandardCharsets.ISO_8859_1));
    }

    @Override
    public synchronized void remove(Frame frame) {
      payloads.remove(key(frame));
    }

    private static String key(Frame frame) {
      return frame.partition()
          + " "
          + frame.mapName()
          + " "
          + new String(frame.key(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void clear(Frame frame) {
      throw new UnsupportedOperationException("nothing was cleared");
    }

    @Override
    public void drop(Frame frame) {
      throw new UnsupportedOperationException("nothing was dropped");
    }
  }
}
