package io.keyvalueserve.hazelcast;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.restart.RestartPolicy;
import io.keyvalueserve.grid.restart.WhileLoading;
import io.keyvalueserve.grid.space.TestGrid;
import io.keyvalueserve.journal.ScrubFigures;
import io.keyvalueserve.maps.reclaim.ReclaimSetup;
import io.keyvalueserve.tenancy.Quota;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members that come back together with damaged logs: what one copy lacks comes from the other. A
 * directory that is copied while its member runs is what a crash would have left.
 */
final class CopiesHealTest {
  /** So long that no chunk is sealed: then damage is met as keys are read. */
  private static final long UNSEALED_BYTES = 64 << 20;

  /** So short that chunks are sealed: of these only the keys are read at first. */
  private static final long SEALED_BYTES = 4 << 20;

  private static final int KEYS = 2_000;
  private static final int DAMAGED = 100;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir private Path root;

  /** Whether the first member has so little memory for values that it spills them. */
  private boolean spills;

  private final int firstPort = TestGrid.freePorts();
  private final List<Integer> ports = List.of(firstPort, firstPort + 1);

  /** By the numbers of members. */
  private final long[] chunkBytes = {SEALED_BYTES, SEALED_BYTES};

  @Test
  void recordsThatOneLogHasLostComeFromTheOther() throws IOException {
    crashAfter(CopiesHealTest::writeAll);
    damage("crashed-0", numbers(key -> key < DAMAGED));
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEmpty();
      cluster.awaitSafe();
      assertThat(cluster.missing()).isEmpty();
      cluster.awaitTrusted();
    }
  }

  @Test
  void whatTheOtherLogHasLostIsMadeAnew() throws IOException {
    crashAfter(CopiesHealTest::writeAll);
    damage("crashed-1", numbers(key -> key < DAMAGED));
    try (Cluster cluster = new Cluster("crashed")) {
      cluster.awaitSafe();
      cluster.awaitTrusted();
      copy("crashed-1", "alone-1");
    }
    try (DoorMember alone = member("alone-1", 1, RestartPolicy.PARTIAL)) {
      assertThat(missing(alone)).isEmpty();
      assertThat(alone.member.safety().losses().isEmpty()).isTrue();
    }
  }

  @Test
  void whatWasInAMissingFileComesFromTheOtherMember() throws IOException {
    crashAfter(CopiesHealTest::writeAll);
    Files.delete(chunkWith("crashed-0", value(1)));
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEmpty();
      cluster.awaitSafe();
      assertThat(cluster.missing()).isEmpty();
    }
  }

  @Test
  void whatWasCutOffFromTheEndOfALogComesFromTheOtherMember() throws IOException {
    Arrays.fill(chunkBytes, UNSEALED_BYTES);
    crashAfter(CopiesHealTest::writeAll);
    cut("crashed-0", value(KEYS / 2));
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEmpty();
      cluster.awaitSafe();
      cluster.awaitTrusted();
      assertThat(cluster.first().member.safety().losses().isEmpty()).isTrue();
    }
  }

  @Test
  void whatWasCutOffFromTheEndOfALogIsToldIfThereIsNoOtherMember() throws IOException {
    Arrays.fill(chunkBytes, UNSEALED_BYTES);
    crashAfter(CopiesHealTest::writeAll);
    cut("crashed-0", value(KEYS / 2));
    try (DoorMember alone = member("crashed-0", 0, RestartPolicy.PARTIAL)) {
      assertThat(missing(alone)).isNotEmpty();
      await().atMost(MINUTE).until(() -> !alone.member.safety().losses().isEmpty());
      assertThat(alone.member.safety().losses().places()).isPositive();
      assertThat(alone.member.safety().losses().partitions()).isNotEmpty();
      assertThat(alone.member.isSafe()).isFalse();
    }
  }

  @Test
  void aLogThatIsGoneIsMadeAnewFromTheOtherMember() throws IOException {
    crashAfter(CopiesHealTest::writeAll);
    deleteAll(root.resolve("crashed-0/log"), true);
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEmpty();
      cluster.awaitSafe();
      assertThat(cluster.missing()).isEmpty();
      cluster.awaitTrusted();
    }
  }

  @Test
  void anEmptyLogDirectoryIsALogThatIsGone() throws IOException {
    crashAfter(CopiesHealTest::writeAll);
    deleteAll(root.resolve("crashed-1/log"), false);
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEmpty();
      cluster.awaitSafe();
      assertThat(cluster.missing()).isEmpty();
    }
  }

  /** The mark that the log was gone outlives a member that is killed before it has all again. */
  @Test
  void aLogThatWasGoneCountsForLessAlsoAtTheStartAfterNext() throws IOException {
    crashAfter(CopiesHealTest::writeAll);
    deleteAll(root.resolve("crashed-0/log"), true);
    assertThatThrownBy(() -> member("crashed-0", 0, RestartPolicy.COMPLETE, Duration.ofMillis(100)))
        .hasMessageContaining("no whole copy here");
    assertThat(root.resolve("crashed-0/log/identity")).exists();
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEmpty();
    }
  }

  @Test
  void twoDamagedLogsArePutTogether() throws IOException {
    crashAfter(CopiesHealTest::writeAll);
    damage("crashed-0", numbers(key -> key < DAMAGED));
    damage("crashed-1", numbers(key -> key >= DAMAGED && key < 2 * DAMAGED));
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEmpty();
      assertThat(cluster.first().member.safety().losses().isEmpty()).isTrue();
      cluster.awaitSafe();
      assertThat(cluster.missing()).isEmpty();
    }
  }

  /** The newest write of each key is damaged in one log or the other, and the one before is not. */
  @Test
  void theNewerRecordIsTaken() throws IOException {
    crashAfter(
        map -> {
          map.setAll(all(CopiesHealTest::older));
          writeAll(map);
        });
    damage("crashed-0", numbers(key -> key < DAMAGED));
    damage("crashed-1", numbers(key -> key >= DAMAGED && key < 2 * DAMAGED));
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEmpty();
    }
  }

  @Test
  void whatWasDeletedDoesNotComeBack() throws IOException {
    Set<Integer> deleted = numbers(key -> key % 4 == 0);
    crashAfter(
        map -> {
          writeAll(map);
          deleted.forEach(key -> map.delete(key(key)));
        });
    // Deleted ones among them, as far as the log still has them.
    assertThat(deleted)
        .containsAll(damageSome("crashed-0", numbers(key -> key < DAMAGED)))
        .containsAll(damageSome("crashed-1", numbers(key -> key >= DAMAGED && key < 2 * DAMAGED)));
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEqualTo(deleted);
      assertThat(cluster.first().member.safety().losses().isEmpty()).isTrue();
    }
  }

  @Test
  @Tag("flaky") // docs/flaky.md
  void whatNoCopyHasIsToldUntilSomebodyHasTakenNote() throws IOException {
    crashAfter(CopiesHealTest::writeAll);
    Set<Integer> lost = numbers(key -> key < 7);
    damage("crashed-0", numbers(key -> key < DAMAGED));
    damage("crashed-1", lost);
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEqualTo(lost);
      await()
          .atMost(MINUTE)
          .untilAsserted(
              () -> {
                assertThat(cluster.first().member.safety().losses().count()).isEqualTo(7);
                assertThat(cluster.first().member.safety().losses().partitions()).isNotEmpty();
              });
      assertThat(cluster.first().member.safety().losses().records().keySet())
          .singleElement()
          .asString()
          .contains("orders");
      assertThat(cluster.first().member.isSafe()).isFalse();
      cluster.awaitTrusted();
    }
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEqualTo(lost);
      assertThat(cluster.first().member.safety().losses().count()).isEqualTo(7);
      assertThat(cluster.first().member.isSafe()).isFalse();
      assertThat(requireNonNull(cluster.first().member.acknowledgeLosses()).count()).isEqualTo(7);
      cluster.awaitSafe();
    }
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.first().member.safety().losses().isEmpty()).isTrue();
      cluster.awaitSafe();
    }
  }

  /** Of sealed chunks only the keys are read at the start; damage is found when values are. */
  @Test
  void recordsWhoseDamageIsFoundLateComeFromTheOtherMember() throws IOException {
    crashAfter(CopiesHealTest::writeAllAndMore);
    damage("crashed-0", numbers(key -> key < DAMAGED));
    damage("crashed-1", numbers(key -> key >= DAMAGED && key < 2 * DAMAGED));
    try (Cluster cluster = new Cluster("crashed")) {
      await()
          .atMost(MINUTE)
          .ignoreException(HazelcastException.class) // until it is there
          .untilAsserted(() -> assertThat(cluster.missing()).isEmpty());
      cluster.awaitSafe();
      assertThat(cluster.missing()).isEmpty();
    }
  }

  /**
   * One log is known to be damaged when its keys are read. The other one has damage in sealed
   * chunks only, and is read whole before the first one is given up. Records that both have lost
   * are told, and older ones show.
   */
  @Test
  void sealedChunksAreReadBeforeADamagedCopyIsGivenUp() throws IOException {
    chunkBytes[0] = UNSEALED_BYTES;
    Set<Integer> inBoth = numbers(key -> key >= DAMAGED && key < DAMAGED + 7);
    crashAfter(
        map -> {
          map.setAll(all(CopiesHealTest::older));
          writeAllAndMore(map);
        });
    damage("crashed-0", numbers(key -> key < DAMAGED + 7));
    damage("crashed-1", numbers(key -> key >= DAMAGED && key < 2 * DAMAGED));
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEqualTo(inBoth);
      await()
          .atMost(MINUTE)
          .untilAsserted(
              () -> assertThat(cluster.first().member.safety().losses().count()).isEqualTo(7));
      cluster.awaitTrusted();
      assertThat(cluster.missing()).isEqualTo(inBoth);
    }
  }

  /** The first log's removes are damaged beyond recognition, the other one has other damage. */
  @Test
  void whatWasDeletedStaysSoIfTheOwnerDoesNotKnowWhatItHasLost() throws IOException {
    Arrays.fill(chunkBytes, UNSEALED_BYTES);
    Set<Integer> deleted = numbers(key -> key < DAMAGED);
    crashAfter(
        map -> {
          writeAll(map);
          deleted.forEach(key -> map.delete(key(key)));
        });
    deface("crashed-0", deleted);
    damage("crashed-1", numbers(key -> key >= DAMAGED && key < 2 * DAMAGED));
    try (Cluster cluster = new Cluster("crashed")) {
      assertThat(cluster.missing()).isEqualTo(deleted);
    }
  }

  /** One log loses single records, the other one a file; each has all when its member is alone. */
  @Test
  void whatTheLogsOfRunningMembersLoseIsWrittenAnewFromMemory() throws IOException {
    try (Cluster cluster = new Cluster("first")) {
      cluster.write(
          map -> {
            writeAllAndMore(map);
            writeFiller(map, "more-"); // no chunk with a value is the last one of its stream
          });
      flip("first-0", numbers(key -> key < DAMAGED));
      Files.delete(chunkWith("first-1", value(1)));
      cluster.members.forEach(each -> each.member.scrub());
      for (DoorMember each : cluster.members) {
        await().atMost(MINUTE).until(() -> isRepaired(each));
        assertThat(each.member.isLogDamaged()).isFalse();
      }
      cluster.awaitSafe();
      assertThat(cluster.missing()).isEmpty();
      copy("first-0", "alone-0");
      copy("first-1", "alone-1");
    }
    for (int number = 0; number < 2; number++) {
      try (DoorMember alone = member("alone-" + number, number, RestartPolicy.PARTIAL)) {
        assertThat(missing(alone)).isEmpty();
        assertThat(alone.member.isLogDamaged()).isFalse();
        assertThat(alone.member.safety().losses().isEmpty()).isTrue();
      }
    }
  }

  /** What is neither in the log nor in memory any more, nor where values are spilled to. */
  @Test
  void whatARunningMemberHasNowhereComesFromTheOther() throws IOException {
    spills = true;
    try (Cluster cluster = new Cluster("first")) {
      cluster.first().quota("acme", Quota.USUAL); // memory is taken from tenants that are known
      cluster.write(CopiesHealTest::writeAllAndMore);
      Set<Integer> spilled = new TreeSet<>();
      await()
          .atMost(MINUTE)
          .ignoreException(NoSuchElementException.class) // until there is a file
          .until(() -> spilled.addAll(flipSpilled("first-0")));
      flip("first-0", spilled);
      cluster.first().member.scrub();
      await().atMost(MINUTE).until(() -> isRead(cluster.first()));
      assertThat(figures(cluster.first()).renewed()).isLessThan(spilled.size());
      assertThat(figures(cluster.first()).lost()).isZero();
      cluster.awaitSafe();
      copy("first-0", "alone-0");
    }
    spills = false;
    try (DoorMember alone = member("alone-0", 0, RestartPolicy.PARTIAL)) {
      assertThat(missing(alone)).isEmpty();
    }
  }

  private static ScrubFigures figures(DoorMember member) {
    return requireNonNull(member.member.logFigures()).scrub();
  }

  /** Whether all was read since the pass at the start, when there was nothing, and is repaired. */
  private static boolean isRead(DoorMember member) {
    ScrubFigures scrub = figures(member);
    return scrub.passes() > 1 && scrub.damaged() > 0 && scrub.open() == 0;
  }

  private Path spillFile(String member) throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve(member + "-spilled"))) {
      return files
          .filter(Files::isRegularFile)
          .max(Comparator.comparingLong(CopiesHealTest::size))
          .orElseThrow();
    }
  }

  private static long size(Path file) {
    return file.toFile().length();
  }

  /** Flips a byte of each value that was spilled so far; returns the keys. */
  private Set<Integer> flipSpilled(String member) throws IOException {
    Set<Integer> keys = new TreeSet<>();
    Path file = spillFile(member);
    String text = Files.readString(file, ISO_8859_1); // is long: gone through once
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      for (int at = text.indexOf("newer:"); at >= 0; at = text.indexOf("newer:", at + 1)) {
        String number = text.substring(at + 6, at + 11);
        if (number.chars().allMatch(Character::isDigit)
            && text.startsWith(value(Integer.parseInt(number)), at)) {
          access.seek(at + value(0).length() - 1L);
          access.write('x' ^ 1);
          boolean _ = keys.add(Integer.parseInt(number));
        }
      }
    }
    return keys;
  }

  private static boolean isRepaired(DoorMember member) {
    ScrubFigures scrub = figures(member);
    return scrub.renewed() >= DAMAGED && scrub.open() == 0;
  }

  // ---- members

  /** What is done with the map. */
  private interface Work {
    void on(IMap<String, String> map);
  }

  private void crashAfter(Work work) throws IOException {
    try (Cluster cluster = new Cluster("first")) {
      cluster.write(work);
      copy("first-0", "crashed-0");
      copy("first-1", "crashed-1");
    }
  }

  private static void writeAll(IMap<String, String> map) {
    map.setAll(all(CopiesHealTest::value));
  }

  /** Writes all, and so much more that the chunks with the others are full, and sealed. */
  private static void writeAllAndMore(IMap<String, String> map) {
    writeAll(map);
    writeFiller(map, "filler-");
  }

  private static void writeFiller(IMap<String, String> map, String prefix) {
    String large = "z".repeat(8 << 10);
    Map<String, String> filler = new TreeMap<>();
    for (int i = 0; i < 1_500; i++) {
      String _ = filler.put(prefix + i, large);
    }
    map.setAll(filler);
  }

  private static Map<String, String> all(IntFunction<String> value) {
    return numbers(key -> true).stream()
        .collect(Collectors.toMap(CopiesHealTest::key, value::apply));
  }

  private static Set<Integer> numbers(IntPredicate which) {
    return IntStream.range(0, KEYS)
        .filter(which)
        .boxed()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String key(int number) {
    return "key-%05d".formatted(number);
  }

  private static String value(int number) {
    return "newer:%05d:".formatted(number) + "x".repeat(200);
  }

  private static String older(int number) {
    return "older:%05d:".formatted(number) + "y".repeat(200);
  }

  private DoorMember member(String directory, int number, RestartPolicy policy) {
    boolean isAlone = policy == RestartPolicy.PARTIAL;
    return member(directory, number, policy, isAlone ? Duration.ofSeconds(1) : MINUTE);
  }

  private DoorMember member(String directory, int number, RestartPolicy policy, Duration patience) {
    RestartConfig config =
        new RestartConfig(
            root.resolve(directory),
            Durability.ALWAYS,
            policy,
            patience,
            chunkBytes[number],
            WhileLoading.WAIT,
            map -> false,
            Restarts.KEYS_FIRST_BELOW,
            RestartConfig.SCRUB_EACH);
    List<String> join = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    ReclaimSetup reclaim =
        spills && number == 0
            ? new ReclaimSetup(
                1, 1, Duration.ofMillis(1), 0, root.resolve(directory + "-spilled"), 64 << 20)
            : ReclaimSetup.USUAL;
    return new DoorMember(config, ports.get(number), join, reclaim);
  }

  private static Set<Integer> missing(DoorMember member) {
    HazelcastInstance client = member.client("acme");
    try {
      Set<String> keys =
          numbers(key -> true).stream().map(CopiesHealTest::key).collect(Collectors.toSet());
      Map<String, String> there =
          await("damaged records that were found late are healed")
              .atMost(MINUTE)
              .ignoreExceptionsMatching(e -> String.valueOf(e.getMessage()).contains("restart log"))
              .until(
                  () -> new TreeMap<>(client.<String, String>getMap("orders").getAll(keys)),
                  all -> true);
      return numbers(key -> !value(key).equals(there.get(key(key))));
    } finally {
      client.shutdown();
    }
  }

  private void copy(String from, String to) throws IOException {
    Restarts.copy(root.resolve(from), root.resolve(to));
  }

  // ---- damage

  private List<Path> chunks(String member) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(member).resolve("log/chunks"))) {
      return files.sorted().toList();
    }
  }

  private Path chunkWith(String member, String value) throws IOException {
    for (Path chunk : chunks(member)) {
      if (Files.readString(chunk, ISO_8859_1).contains(value)) {
        return chunk;
      }
    }
    throw new AssertionError("no chunk has " + value);
  }

  /** Cuts the file with a value off before it. */
  private void cut(String member, String value) throws IOException {
    Path chunk = chunkWith(member, value);
    int at = Files.readString(chunk, ISO_8859_1).indexOf(value);
    try (RandomAccessFile file = new RandomAccessFile(chunk.toFile(), "rw")) {
      file.setLength(at);
    }
  }

  /** Flips a byte in the values of some keys. */
  private void damage(String member, Collection<Integer> keys) throws IOException {
    assertThat(damageSome(member, keys)).isEmpty();
  }

  /** As {@link #damage}; returns the keys whose values the log does not have. */
  private Set<Integer> damageSome(String member, Collection<Integer> keys) throws IOException {
    Set<Integer> left = new TreeSet<>(keys);
    for (Path file : chunks(member)) {
      byte[] bytes = Files.readAllBytes(file);
      String text = new String(bytes, ISO_8859_1);
      for (int key : List.copyOf(left)) {
        String value = value(key);
        int at = text.indexOf(value);
        if (at >= 0) {
          bytes[at + value.length() - 1] ^= 1;
          boolean _ = left.remove(key);
        }
      }
      Files.write(file, bytes);
    }
    return left;
  }

  /** Takes the headers from the last frames of some keys. */
  private void deface(String member, Collection<Integer> keys) throws IOException {
    Set<Integer> left = new TreeSet<>(keys);
    for (Path file : chunks(member).reversed()) {
      byte[] bytes = Files.readAllBytes(file);
      int end = bytes.length; // of what was written: most is not
      while (end > 0 && bytes[end - 1] == 0) {
        end--;
      }
      String text = new String(bytes, 0, end, ISO_8859_1);
      for (int key : List.copyOf(left)) {
        int at = text.lastIndexOf(key(key));
        if (at >= 0) {
          Arrays.fill(bytes, at - 48, at, (byte) 0);
          boolean _ = left.remove(key);
        }
      }
      Files.write(file, bytes);
    }
    assertThat(left).isEmpty();
  }

  /** As {@link #damage}, of a member that runs: writes these bytes only. */
  private void flip(String member, Collection<Integer> keys) throws IOException {
    Set<Integer> left = new TreeSet<>(keys);
    for (Path file : chunks(member)) {
      String text = Files.readString(file, ISO_8859_1);
      try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
        for (int key : List.copyOf(left)) {
          String value = value(key);
          int at = text.indexOf(value);
          if (at >= 0) {
            access.seek(at + value.length() - 1L);
            access.write('x' ^ 1);
            boolean _ = left.remove(key);
          }
        }
      }
    }
    assertThat(left).isEmpty();
  }

  private static void deleteAll(Path directory, boolean itself) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(directory)) {
      all = new ArrayList<>(files.toList());
    }
    for (Path path : all.reversed()) {
      if (itself || !path.equals(directory)) {
        Files.delete(path);
      }
    }
  }

  /** Two members, started at the same time. */
  private final class Cluster implements AutoCloseable {
    private final List<DoorMember> members;

    Cluster(String name) {
      CompletableFuture<DoorMember> other =
          CompletableFuture.supplyAsync(() -> member(name + "-1", 1, RestartPolicy.COMPLETE));
      DoorMember first = member(name + "-0", 0, RestartPolicy.COMPLETE);
      members = List.of(first, other.join());
      await().atMost(MINUTE).until(() -> first.member.members().size() == 2);
    }

    DoorMember first() {
      return members.getFirst();
    }

    void awaitSafe() {
      await().atMost(MINUTE).until(() -> first().member.isSafe());
    }

    /** Until each log has all that its member has. */
    void awaitTrusted() {
      await()
          .atMost(MINUTE)
          .until(() -> members.stream().noneMatch(each -> each.member.isLogDamaged()));
    }

    void write(Work work) {
      await().atMost(MINUTE).until(() -> first().member.partitionsByOwner().size() == 2);
      awaitSafe();
      HazelcastInstance client = first().client("acme");
      work.on(client.getMap("orders"));
      for (int i = 0; i < 300; i++) { // then the log says that all before was certain
        client.getMap("later").set(i, i);
      }
      client.shutdown();
      awaitSafe();
    }

    Set<Integer> missing() {
      return CopiesHealTest.missing(first());
    }

    @Override
    public void close() {
      members.forEach(DoorMember::close);
    }
  }
}
