package io.keyvalueserve.engine.rdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Goal: values are written and read as Redis does, and no bytes of a client do harm. Method: bytes
 * noted from Redis, values there and back, random bytes. {@code DifferentialTest} compares with a
 * running Redis.
 */
class RdbTest {
  private static final int MOST = 1 << 20;

  @Test
  void hasTheChecksumOfTheFormat() {
    byte[] digits = "123456789".getBytes(US_ASCII);
    assertThat(Crc64.update(0, digits, 0, 9)).isEqualTo(0xe9c6d914c4b8d9caL);
    byte[] bytes = new byte[1_000];
    new Random(1).nextBytes(bytes);
    long whole = Crc64.update(0, bytes, 0, bytes.length);
    for (int cut : new int[] {0, 1, 7, 8, 333, 1_000}) {
      long head = Crc64.update(0, bytes, 0, cut);
      assertThat(Crc64.update(head, bytes, cut, bytes.length)).isEqualTo(whole);
    }
  }

  @Test
  void writesTheBytesThatRedisWrites() {
    assertThat(HexFormat.of().formatHex(RdbWriter.dump("10".getBytes(US_ASCII))))
        .isEqualTo("00c00a" + "0a00" + "6e9f57450eae63bb");
    assertThat(HexFormat.of().formatHex(RdbWriter.dump("hello".getBytes(US_ASCII))))
        .isEqualTo("000568656c6c6f" + "0a00" + "6372df766534200a");
  }

  @Test
  void readsWhatItWrites() throws RdbException {
    Random random = new Random(2);
    for (String integer :
        new String[] {
          "0",
          "-1",
          "127",
          "128",
          "-128",
          "-129",
          "32767",
          "32768",
          "2147483647",
          "2147483648",
          "-2147483648",
          "-2147483649",
          "01",
          "+1",
          "",
          "9223372036854775807"
        }) {
      byte[] value = integer.getBytes(US_ASCII);
      assertThat(read(RdbWriter.dump(value))).isEqualTo(value);
    }
    for (int length : new int[] {1, 63, 64, 16_383, 16_384, 70_000}) {
      byte[] value = new byte[length];
      random.nextBytes(value);
      assertThat(read(RdbWriter.dump(value))).isEqualTo(value);
    }
  }

  @Test
  void numbersOfAnySizeGoThereAndBack() throws RdbException {
    long[] numbers = {0, 63, 64, 16_383, 16_384, 0xffff_ffffL, 0x1_0000_0000L, Long.MAX_VALUE};
    RdbWriter writer = new RdbWriter(0);
    for (long number : numbers) {
      writer.length(number);
    }
    writer.version();
    writer.checksum(0);
    RdbReader reader = new RdbReader(Arrays.copyOf(writer.array(), writer.written()), MOST);
    for (long number : numbers) {
      assertThat(reader.length()).isEqualTo(number);
    }
  }

  @Test
  void readsWhatRedisHasCompressed() throws RdbException {
    byte[] dump = HexFormat.of().parseHex("00c30b40780361626361e069020162630a00c494a1702ae23e06");
    assertThat(new String(read(dump), ISO_8859_1)).isEqualTo("abc".repeat(40));
  }

  @Test
  void decompressesSomeAtATime() throws RdbException {
    // one byte, then matches of 264 bytes one byte back
    int matches = 1_000;
    byte[] in = new byte[2 + 3 * matches];
    in[0] = 0;
    in[1] = 'z';
    for (int i = 0; i < matches; i++) {
      in[2 + 3 * i] = (byte) 0xe0;
      in[3 + 3 * i] = (byte) 255;
    }
    byte[] out = new byte[1 + 264 * matches];
    Lzf lzf = new Lzf(in, 0, in.length, out);
    int steps = 1;
    while (!lzf.run(1_000)) {
      steps++;
    }
    assertThat(steps).isGreaterThan(200);
    for (byte each : out) {
      assertThat(each).isEqualTo((byte) 'z');
    }
  }

  @Test
  void refusesWhatIsNoValue() {
    byte[] later = RdbWriter.dump("v".getBytes(US_ASCII));
    later[later.length - 10] = 12;
    assertThatThrownBy(() -> new RdbReader(later, MOST)).isInstanceOf(RdbException.class);
    assertThatThrownBy(() -> new RdbReader(new byte[9], MOST)).isInstanceOf(RdbException.class);
    byte[] tooLong = RdbWriter.dump(new byte[100]);
    assertThatThrownBy(() -> read(tooLong, 99)).isInstanceOf(RdbException.class);
  }

  /** A few bytes may not stand for so many that memory is taken for nothing. */
  @Test
  void takesNoMoreMemoryThanBytesCanStandFor() throws RdbException {
    int most = 2 * Lzf.MOST_EXPANSION;
    assertThat(compressedInto(most).string().string()).hasSize(most);
    RdbReader longer = compressedInto(most + 1);
    assertThatThrownBy(longer::string).isInstanceOf(RdbException.class);
  }

  /** Two bytes that claim to be a string of a length. */
  private static RdbReader compressedInto(int length) throws RdbException {
    RdbWriter lengths = new RdbWriter(20);
    lengths.length(2);
    lengths.length(length);
    byte[] bytes = new byte[40];
    bytes[0] = Rdb.STRING;
    bytes[1] = (byte) 0xc3;
    System.arraycopy(lengths.array(), 0, bytes, 2, lengths.written());
    RdbReader reader = new RdbReader(bytes, Integer.MAX_VALUE);
    assertThat(reader.type()).isEqualTo(Rdb.STRING);
    return reader;
  }

  @Test
  void hostileBytesAreRefusedAndNothingMore() {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    int refused = 0;
    for (int round = 0; round < 50_000; round++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length > 12) {
        bytes[0] = 0;
        bytes[1] = random.nextBoolean() ? (byte) 0xc3 : bytes[1];
        bytes[bytes.length - 9] = 0;
        bytes[bytes.length - 10] = (byte) random.nextInt(13);
      }
      try {
        assertThat(read(bytes, MOST)).isNotNull();
      } catch (RdbException e) {
        refused++;
      } catch (RuntimeException e) {
        throw new AssertionError("seed=" + seed + " bytes=" + Arrays.toString(bytes), e);
      }
    }
    assertThat(refused).isGreaterThan(10_000);
  }

  private static byte[] read(byte[] dump) throws RdbException {
    RdbReader reader = new RdbReader(dump, MOST);
    assertThat(reader.hasChecksum(Crc64.update(0, dump, 0, reader.checkedBytes()))).isTrue();
    return read(dump, MOST);
  }

  private static byte[] read(byte[] dump, int most) throws RdbException {
    RdbReader reader = new RdbReader(dump, most);
    if (reader.type() != Rdb.STRING) {
      throw new RdbException("no string");
    }
    RdbReader.Parts parts = reader.string();
    while (!parts.run(10)) {
      Thread.onSpinWait();
    }
    return parts.string();
  }
}
