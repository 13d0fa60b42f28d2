package io.keyvalueserve.snapshots;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks: their canonical form, their names, what is found out, and what is collected. */
class ChunkStoreTest {
  private static final TenantKey KEY = Samples.key(1);

  private final MemoryRepository repository = new MemoryRepository();
  private final ChunkStore chunks = new ChunkStore(repository, KEY, repository::now);

  private static SnapshotEntry entry(String key, String value) {
    return new SnapshotEntry(key.getBytes(UTF_8), value.getBytes(UTF_8), -1, 0, 7);
  }

  private static SnapshotException.Kind kindOf(Throwable failure) {
    return ((SnapshotException) failure).kind();
  }

  @Property(tries = 200)
  void decodesWhatWasEncodedInOrder(@ForAll long seed) {
    List<SnapshotEntry> entries = Samples.entries(new Random(seed), 30);
    List<SnapshotEntry> sorted = entries.stream().sorted().toList();
    assertThat(ChunkCodec.decode(ChunkCodec.encode(entries))).isEqualTo(sorted);
  }

  @Property(tries = 100)
  void anyOrderOfTheSameEntriesIsTheSameChunk(@ForAll long seed) {
    Random random = new Random(seed);
    List<SnapshotEntry> entries = Samples.entries(random, 20);
    ChunkRef first = chunks.write(entries);
    List<SnapshotEntry> shuffled = new ArrayList<>(entries);
    Collections.shuffle(shuffled, random);
    ChunkRef second = chunks.write(shuffled);
    assertThat(second.name()).isEqualTo(first.name());
    assertThat(second.isNew()).isFalse();
    assertThat(second.storedBytes()).isEqualTo(first.storedBytes());
    assertThat(chunks.read(first.name())).containsExactlyInAnyOrderElementsOf(entries);
  }

  @Property(tries = 60)
  void unpacksWhatWasPackedWhateverItsShape(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] raw = new byte[random.nextInt(4) == 0 ? random.nextInt(200_000) : random.nextInt(40)];
    if (random.nextBoolean()) {
      random.nextBytes(raw);
      Arrays.fill(raw, 0, random.nextInt(raw.length + 1), (byte) 7);
    }
    byte[] packed = Deflated.pack(raw);
    assertThat(packed.length).isLessThanOrEqualTo(raw.length + 1);
    assertThat(Deflated.unpack("it", packed, raw.length)).isEqualTo(raw);
  }

  @Test
  void sortsKeysAsUnsignedBytes() {
    SnapshotEntry low = new SnapshotEntry(new byte[] {1}, new byte[0], 0, 0, 0);
    SnapshotEntry longer = new SnapshotEntry(new byte[] {1, 0}, new byte[0], 0, 0, 0);
    SnapshotEntry high = new SnapshotEntry(new byte[] {-1}, new byte[0], 0, 0, 0);
    assertThat(ChunkCodec.decode(ChunkCodec.encode(List.of(high, longer, low))))
        .containsExactly(low, longer, high);
  }

  @Test
  void otherContentIsAnotherChunk() {
    Set<String> names =
        Set.of(
            chunks.write(List.of()).name(),
            chunks.write(List.of(entry("a", "b"))).name(),
            chunks.write(List.of(entry("ab", ""))).name(),
            chunks.write(List.of(entry("a", "b"), entry("a", "b"))).name(),
            new ChunkStore(repository, Samples.key(2)).write(List.of(entry("a", "b"))).name());
    assertThat(names).hasSize(5);
  }

  @Test
  void storesNothingInClearText() {
    String secret = "a secret that compresses badly 8f3k20dk";
    ChunkRef ref = chunks.write(List.of(entry(secret, secret)));
    String object = KEY.id() + "/chunks/" + ref.name().substring(0, 2) + "/" + ref.name();
    assertThat(new String(repository.read(object), UTF_8)).doesNotContain("secret");
    assertThat(ref.storedBytes()).isEqualTo(repository.read(object).length);
  }

  @Test
  void findsOutEveryChangedBit() {
    ChunkRef ref = chunks.write(List.of(entry("key", "value"), entry("other", "thing")));
    String object = repository.list("").getFirst().name();
    byte[] sound = repository.read(object);
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] changed = sound.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      repository.write(object, changed);
      assertThatThrownBy(() -> chunks.read(ref.name())).isInstanceOf(SnapshotException.class);
    }
    for (int length = 0; length < sound.length; length++) {
      repository.write(object, Arrays.copyOf(sound, length));
      assertThatThrownBy(() -> chunks.read(ref.name())).isInstanceOf(SnapshotException.class);
    }
  }

  @Test
  void findsOutAChunkUnderAnotherName() {
    ChunkRef one = chunks.write(List.of(entry("a", "1")));
    ChunkRef two = chunks.write(List.of(entry("a", "2")));
    String first = KEY.id() + "/chunks/" + one.name().substring(0, 2) + "/" + one.name();
    String second = KEY.id() + "/chunks/" + two.name().substring(0, 2) + "/" + two.name();
    repository.write(first, repository.read(second));
    assertThatThrownBy(() -> chunks.read(one.name()))
        .extracting(ChunkStoreTest::kindOf)
        .isEqualTo(SnapshotException.Kind.DAMAGED);
    byte[] wrong = Deflated.pack(ChunkCodec.raw(List.of(entry("a", "3"))));
    repository.write(first, Sealed.seal(KEY, first, wrong));
    assertThatThrownBy(() -> chunks.read(one.name()))
        .hasMessageContaining("content of another chunk")
        .extracting(ChunkStoreTest::kindOf)
        .isEqualTo(SnapshotException.Kind.DAMAGED);
  }

  @Test
  void refusesNamesThatAreNoHashes() {
    for (String name : List.of("", "a", "../x", "A".repeat(64), "g".repeat(64), "0".repeat(63))) {
      assertThatThrownBy(() -> chunks.read(name))
          .extracting(ChunkStoreTest::kindOf)
          .isEqualTo(SnapshotException.Kind.INVALID);
    }
    assertThatThrownBy(() -> chunks.read("0".repeat(64)))
        .extracting(ChunkStoreTest::kindOf)
        .isEqualTo(SnapshotException.Kind.MISSING);
  }

  @Test
  void collectsOldChunksThatNoManifestNames() {
    ChunkRef used = chunks.write(List.of(entry("used", "1")));
    ChunkRef old = chunks.write(List.of(entry("old", "1")));
    repository.setNow(repository.now().plus(ChunkStore.GRACE).plusMillis(1));
    ChunkRef young = chunks.write(List.of(entry("young", "1")));
    ChunkStore.Collected collected = chunks.collect(Set.of(used.name()));
    assertThat(collected).isEqualTo(new ChunkStore.Collected(1, old.storedBytes()));
    assertThat(chunks.missing(Set.of(used.name(), old.name(), young.name())))
        .containsExactly(old.name());
  }

  /** Moves the time by each step around the limits, and lets a snapshot and a collection meet. */
  @Test
  void keepsWhatASnapshotFoundForAsLongAsItMayTake() {
    List<SnapshotEntry> content = List.of(entry("k", "v"));
    Instant start = repository.now();
    for (Duration age = Duration.ZERO;
        age.compareTo(ChunkStore.GRACE.multipliedBy(2)) < 0;
        age = age.plusHours(1)) {
      repository.setNow(start);
      ChunkRef ref = chunks.write(content);
      repository.setNow(start.plus(age));
      ChunkRef found = chunks.write(content);
      assertThat(found.isNew()).isFalse();
      repository.setNow(repository.now().plus(ChunkStore.LONGEST_SNAPSHOT));
      assertThat(chunks.collect(Set.of()).chunks()).isZero();
      assertThat(chunks.missing(Set.of(ref.name()))).isEmpty();
      repository.delete(repository.list("").getFirst().name());
    }
  }

  /** A collection has listed an old chunk; before it deletes it, a snapshot writes it again. */
  @Test
  void keepsAChunkThatIsWrittenAgainWhileItCollects() {
    List<SnapshotEntry> content = List.of(entry("k", "v"));
    ChunkRef ref = chunks.write(content);
    repository.setNow(repository.now().plus(ChunkStore.GRACE.multipliedBy(2)));
    Repository between =
        new ForwardingRepository(repository) {
          @Override
          public List<Item> list(String prefix) {
            List<Item> items = super.list(prefix);
            ChunkRef _ = chunks.write(content);
            return items;
          }
        };
    ChunkStore collecting = new ChunkStore(between, KEY, repository::now);
    assertThat(collecting.collect(Set.of()).chunks()).isZero();
    assertThat(chunks.missing(Set.of(ref.name()))).isEmpty();
  }

  @Test
  void writesAnOldChunkAgainOnce() {
    List<SnapshotEntry> content = List.of(entry("k", "v"));
    chunks.write(content);
    repository.setNow(repository.now().plus(ChunkStore.GRACE.dividedBy(2)));
    chunks.write(content);
    assertThat(repository.writes()).isEqualTo(2);
    chunks.write(content);
    assertThat(repository.writes()).isEqualTo(2);
  }

  @Test
  void worksInADirectory(@TempDir Path folder) {
    ChunkStore inFiles = new ChunkStore(DirectoryRepository.open(folder.resolve("r")), KEY);
    List<SnapshotEntry> entries = Samples.entries(new Random(5), 50);
    ChunkRef ref = inFiles.write(entries);
    assertThat(ref.isNew()).isTrue();
    assertThat(inFiles.write(entries).isNew()).isFalse();
    assertThat(inFiles.read(ref.name())).containsExactlyInAnyOrderElementsOf(entries);
  }

  @Test
  void aKeyIsDestroyed() {
    TenantKey key = TenantKey.ofBytes(UUID.randomUUID(), KEY.bytes());
    ChunkStore store = new ChunkStore(repository, key, repository::now);
    ChunkRef ref = store.write(List.of(entry("k", "v")));
    key.destroy();
    assertThat(key.isDestroyed()).isTrue();
    assertThatThrownBy(() -> store.read(ref.name())).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.write(List.of())).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(key::bytes).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void toStringsTellNoSecrets() {
    TenantKey key = TenantKey.create();
    assertThat(key).hasToString("TenantKey[" + key.id() + "]");
    assertThat(new Credentials("id", "very-secret").toString()).doesNotContain("very-secret");
    assertThat(entry("hidden", "hidden").toString()).doesNotContain("hidden");
    assertThat(Change.put(1, 2, 3, "m", entry("hidden", "hidden")).toString())
        .doesNotContain("hidden");
  }
}
