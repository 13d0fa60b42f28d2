package io.keyvalueserve.snapshots;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Goal: no bytes make a decoder throw anything but {@link SnapshotException}, or take much memory.
 * Method: valid content changed at random, on the outside and below the seal and the compression,
 * as an attacker with the key could. {@code -Dkvs.seed=random} draws anew.
 */
class DecoderFuzzTest {
  private static final int ROUNDS = 6_000;
  private static final TenantKey KEY = Samples.key(11);

  private interface Decoder {
    void decode(byte[] bytes);
  }

  private static void fuzz(byte[] valid, Decoder decoder) {
    decoder.decode(valid);
    String given = System.getProperty("kvs.seed", "1");
    long seed = given.equals("random") ? System.nanoTime() : Long.parseLong(given);
    for (int round = 0; round < ROUNDS; round++, seed++) {
      byte[] hostile = changed(valid, new SplittableRandom(seed));
      try {
        decoder.decode(hostile);
      } catch (SnapshotException e) {
        assertThat(e.kind())
            .as("seed %d: %s", seed, e.getMessage())
            .isIn(
                SnapshotException.Kind.DAMAGED,
                SnapshotException.Kind.OTHER_FORMAT,
                SnapshotException.Kind.OTHER_KEY,
                SnapshotException.Kind.INVALID);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("run again with -Dkvs.seed=" + seed, e);
      }
    }
  }

  private static byte[] changed(byte[] valid, SplittableRandom random) {
    byte[] changed = valid.clone();
    for (int i = random.nextInt(4); i >= 0 && changed.length > 0; i--) {
      int at =
          random.nextInt(random.nextInt(3) == 0 ? Math.min(changed.length, 24) : changed.length);
      switch (random.nextInt(6)) {
        case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> changed[at] = (byte) random.nextInt(256);
        case 2 -> Arrays.fill(changed, at, Math.min(changed.length, at + 9), (byte) 0xff);
        case 3 -> changed = Arrays.copyOf(changed, random.nextInt(changed.length + 1));
        case 4 -> changed = Arrays.copyOf(changed, changed.length + random.nextInt(20));
        default -> {
          int from = random.nextInt(changed.length);
          int length = Math.min(random.nextInt(30), changed.length - Math.max(at, from));
          System.arraycopy(changed, from, changed, at, length);
        }
      }
    }
    return changed;
  }

  private static byte[] withChecksum(byte[] raw) {
    byte[] mended = raw.clone();
    if (raw.length >= 4) {
      CRC32C crc = new CRC32C();
      crc.update(raw, 0, raw.length - 4);
      for (int i = 0; i < 4; i++) {
        mended[raw.length - 1 - i] = (byte) (crc.getValue() >> (8 * i));
      }
    }
    return mended;
  }

  @Test
  void chunks() {
    List<SnapshotEntry> entries = Samples.entries(new Random(1), 12);
    fuzz(ChunkCodec.encode(entries), ChunkCodec::decode);
    fuzz(ChunkCodec.raw(entries), raw -> ChunkCodec.entries("it", withChecksum(raw)));
  }

  @Test
  void compressedBytes() {
    byte[] text = "the same words and the same words again, ".repeat(20).getBytes(UTF_8);
    byte[] packed = Deflated.pack(text);
    assertThat(packed.length).isLessThan(text.length);
    fuzz(packed, bytes -> assertThat(Deflated.unpack("it", bytes, 2_000)).hasSizeLessThan(2_001));
  }

  @Test
  void sealedBytes() {
    fuzz(
        Sealed.seal(KEY, "a", new byte[100]),
        bytes -> {
          byte[] opened = Sealed.open(KEY, "a", bytes);
          assertThat(opened).isEqualTo(new byte[100]);
        });
  }

  @Test
  void manifests() {
    Manifest manifest = ManifestTest.manifest(new Random(3), KEY);
    String name = ManifestCodec.objectName(KEY.id(), manifest.id());
    byte[] object = ManifestCodec.encode(manifest, KEY);
    fuzz(object, bytes -> assertThat(ManifestCodec.decode(name, bytes, KEY)).isEqualTo(manifest));
    int headerEnd = new String(object, ISO_8859_1).indexOf('\n', 20);
    byte[] start = Arrays.copyOf(object, headerEnd + 1);
    fuzz(start, bytes -> ManifestCodec.decodeHeader(name, bytes));
    byte[] header = Arrays.copyOfRange(object, 15, headerEnd);
    byte[] body =
        Deflated.unpack(
            name, Sealed.open(KEY, name, header, object, headerEnd + 1), Integer.MAX_VALUE);
    fuzz(
        body,
        bytes -> {
          byte[] sealed = Sealed.seal(KEY, name, header, Deflated.pack(bytes));
          byte[] whole = Arrays.copyOf(start, start.length + sealed.length);
          System.arraycopy(sealed, 0, whole, start.length, sealed.length);
          Manifest _ = ManifestCodec.decode(name, whole, KEY);
        });
  }

  @Test
  void segmentsOfChanges() {
    byte[] packed = ChangeSegment.encode(ChangeArchiveTest.changes(new Random(2), 30));
    fuzz(packed, bytes -> ChangeSegment.decode("it", bytes));
    byte[] raw = Deflated.unpack("it", packed, Integer.MAX_VALUE);
    fuzz(raw, bytes -> ChangeSegment.decode("it", Deflated.pack(bytes)));
  }

  @Test
  void namesAndAddresses() {
    fuzz(
        "s3://bucket/prefix?endpoint=http://h:1&region=r&path-style=true".getBytes(UTF_8),
        bytes -> RepositoryAddress.parse(new String(bytes, ISO_8859_1)));
    fuzz(
        "file:/backups/kvs".getBytes(UTF_8),
        bytes -> RepositoryAddress.parse(new String(bytes, ISO_8859_1)));
    fuzz(
        (KEY.id()
                + "/changes/"
                + KEY.id()
                + "/0000000000000001-0000000000000002-0000000000000003-4-f")
            .getBytes(UTF_8),
        bytes -> {
          SegmentInfo info = SegmentInfo.ofName(new String(bytes, ISO_8859_1), 1);
          assertThat(info == null || info.objectName().equals(new String(bytes, ISO_8859_1)))
              .isTrue();
        });
  }

  /** Each of these says that far more follows than does. */
  @Test
  void lengthsThatLieTakeNoMemory() {
    byte[] small = Deflated.pack(new byte[1_000]);
    ByteWriter lie = new ByteWriter(100);
    lie.writeByte(1);
    lie.writeUnsigned(ChunkCodec.LARGEST);
    byte[] hostile = Arrays.copyOf(lie.toBytes(), 400_000);
    System.arraycopy(small, 3, hostile, lie.size(), small.length - 3);
    long before = allocated();
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> ChunkCodec.decode(hostile)).isInstanceOf(SnapshotException.class);
    }
    ByteWriter counts = new ByteWriter(100);
    counts.writeInt(0x4b565343);
    counts.writeByte(1);
    counts.writeUnsigned(Integer.MAX_VALUE);
    byte[] raw = withChecksum(Arrays.copyOf(counts.toBytes(), 100));
    assertThatThrownBy(() -> ChunkCodec.entries("it", raw))
        .hasMessageContaining("count that cannot be");
    assertThat(allocated() - before).isLessThan(20L * 16 * 400_000 + (20 << 20));
  }

  private static long allocated() {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  @Test
  void aBombStopsAtItsLimit() {
    byte[] bomb = Deflated.pack(new byte[50 << 20]);
    assertThat(bomb.length).isLessThan(400_000);
    assertThatThrownBy(() -> Deflated.unpack("it", bomb, 10 << 20))
        .isInstanceOf(SnapshotException.class);
    byte[] smaller = bomb.clone();
    ByteWriter head = new ByteWriter(10);
    head.writeUnsigned(10 << 20);
    System.arraycopy(head.array(), 0, smaller, 1, head.size());
    assertThatThrownBy(() -> Deflated.unpack("it", smaller, 10 << 20))
        .isInstanceOf(SnapshotException.class);
  }
}
