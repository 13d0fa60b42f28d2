package io.keyvalueserve.snapshots;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Manifests and their folder. */
class ManifestTest {
  private static final TenantKey KEY = Samples.key(5);
  private static final Instant TIME = Instant.parse("2026-01-31T23:59:58.999Z");

  private final MemoryRepository repository = new MemoryRepository();
  private final SnapshotFolder folder = new SnapshotFolder(repository);

  private static SnapshotException.Kind kindOf(Throwable failure) {
    return ((SnapshotException) failure).kind();
  }

  static Manifest manifest(Random random, TenantKey key) {
    List<Manifest.MapPart> maps = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      List<Manifest.Chunk> chunks = new ArrayList<>();
      for (int j = random.nextInt(5); j > 0; j--) {
        String name = String.format("%064x", random.nextLong());
        chunks.add(
            new Manifest.Chunk(
                name,
                false,
                random.nextInt(271),
                random.nextInt(271),
                random.nextInt(Integer.MAX_VALUE),
                random.nextLong(Long.MAX_VALUE)));
      }
      maps.add(new Manifest.MapPart("map\n\"ä€😀" + i, "{\"backup\":" + i + "}", chunks));
    }
    return new Manifest(
        Manifest.FORMAT,
        Manifest.newId(TIME),
        key.id(),
        "tenant \" \n ü",
        "cluster",
        TIME.toEpochMilli(),
        TIME.toEpochMilli() - 5,
        TIME.toEpochMilli() + random.nextInt(1_000_000),
        271,
        -42,
        -3,
        "0.1.0",
        new Manifest.Totals(random.nextLong(Long.MAX_VALUE), Long.MAX_VALUE, random.nextInt(9), 0),
        maps);
  }

  @Property(tries = 100)
  void readsWhatWasWritten(@ForAll long seed) {
    Manifest manifest = manifest(new Random(seed), KEY);
    folder.write(manifest, KEY);
    assertThat(folder.read(KEY.id(), manifest.id(), KEY)).isEqualTo(manifest);
    assertThat(folder.list(KEY.id())).contains(manifest.header());
  }

  @Test
  void idsNameTheirTimeAndSortByIt() {
    String id = Manifest.newId(TIME);
    assertThat(id).matches("s-20260131t235958-[a-z2-7]{6}");
    assertThat(Manifest.newId(TIME)).isNotEqualTo(id);
    assertThat(Manifest.newId(TIME.plusSeconds(1))).isGreaterThan(id);
    for (String wrong : List.of("", "s-20260131t235958-abc18x", "../x", id + "a", id + "\n")) {
      assertThatThrownBy(() -> Manifest.checkId(wrong))
          .extracting(ManifestTest::kindOf)
          .isEqualTo(SnapshotException.Kind.INVALID);
    }
  }

  @Test
  void theHeaderIsInClearTextAndTheRestIsNot() {
    Manifest manifest = manifest(new Random(8), KEY);
    assertThat(manifest.maps()).isNotEmpty();
    String text = new String(ManifestCodec.encode(manifest, KEY), UTF_8);
    assertThat(text).startsWith("kvs-snapshot 1\n{\"format\":1,\"id\":\"" + manifest.id());
    assertThat(text.lines().skip(1).findFirst().orElseThrow()).endsWith("}");
    assertThat(text).doesNotContain("map\\n").doesNotContain("backup");
  }

  @Test
  void findsOutEveryChangedBit() {
    Manifest manifest = manifest(new Random(9), KEY);
    String name = ManifestCodec.objectName(KEY.id(), manifest.id());
    byte[] sound = ManifestCodec.encode(manifest, KEY);
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] changed = sound.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> ManifestCodec.decode(name, changed, KEY))
          .as("bit %d", bit)
          .isInstanceOf(SnapshotException.class);
    }
  }

  @Test
  void aChangedHeaderIsListedButNotRead() {
    Manifest manifest = manifest(new Random(10), KEY);
    folder.write(manifest, KEY);
    String name = repository.list("").getFirst().name();
    String text = new String(repository.read(name), ISO_8859_1);
    repository.write(
        name,
        text.replaceFirst("\"cluster\":\"cluster\"", "\"cluster\":\"clusteR\"")
            .getBytes(ISO_8859_1));
    assertThat(folder.list(null)).extracting(Manifest.Header::cluster).containsExactly("clusteR");
    assertThatThrownBy(() -> folder.read(KEY.id(), manifest.id(), KEY))
        .extracting(ManifestTest::kindOf)
        .isEqualTo(SnapshotException.Kind.DAMAGED);
  }

  @Test
  void listsDamagedOnesWithTheReason() {
    Manifest sound = manifest(new Random(11), KEY);
    folder.write(sound, KEY);
    repository.write(KEY.id() + "/snapshots/s-1", "rubbish".getBytes(UTF_8));
    repository.write(KEY.id() + "/snapshots/s-2", "kvs-snapshot 2\n{}\n".getBytes(UTF_8));
    repository.write(KEY.id() + "/snapshots/s-3", "kvs-snapshot 1\n{\"id\":".getBytes(UTF_8));
    repository.write("something/else", new byte[3]);
    TenantKey other = Samples.key(6);
    Manifest ofOther = manifest(new Random(12), other);
    folder.write(ofOther, other);
    List<Manifest.Header> headers = folder.list(KEY.id());
    assertThat(headers)
        .extracting(Manifest.Header::id)
        .containsExactly("s-1", "s-2", "s-3", sound.id());
    assertThat(headers.get(0).damage()).contains("is no snapshot");
    assertThat(headers.get(1).damage()).contains("newer version");
    assertThat(headers.get(2).damage()).contains("header");
    assertThat(headers.get(3).damage()).isNull();
    assertThat(folder.list(null)).hasSize(5).contains(ofOther.header());
    assertThat(folder.list(UUID.randomUUID())).isEmpty();
    assertThatThrownBy(() -> folder.chunksInUse(KEY)).isInstanceOf(SnapshotException.class);
    for (String id : List.of("s-1", "s-2", "s-3")) {
      folder.delete(KEY.id(), id);
    }
    assertThat(folder.chunksInUse(KEY)).isEqualTo(sound.chunkNames());
  }

  @Test
  void refusesOtherKeysAndSlowSnapshots() {
    Manifest manifest = manifest(new Random(13), KEY);
    assertThatThrownBy(() -> folder.write(manifest, Samples.key(7)))
        .extracting(ManifestTest::kindOf)
        .isEqualTo(SnapshotException.Kind.OTHER_KEY);
    folder.write(manifest, KEY);
    assertThatThrownBy(() -> folder.read(KEY.id(), manifest.id(), Samples.key(7)))
        .extracting(ManifestTest::kindOf)
        .isEqualTo(SnapshotException.Kind.OTHER_KEY);
    Manifest slow =
        new Manifest(
            1,
            manifest.id(),
            KEY.id(),
            "t",
            "c",
            0,
            0,
            ChunkStore.LONGEST_SNAPSHOT.toMillis() + 1,
            271,
            -42,
            0,
            "v",
            manifest.totals(),
            List.of());
    assertThatThrownBy(() -> folder.write(slow, KEY))
        .hasMessageContaining("24 hours")
        .extracting(ManifestTest::kindOf)
        .isEqualTo(SnapshotException.Kind.INVALID);
  }
}
