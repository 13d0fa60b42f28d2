package io.keyvalueserve.grid.space;

import static io.keyvalueserve.engine.Batches.texts;
import static io.keyvalueserve.engine.Batches.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.map.IMap;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What doors and Hazelcast clients see of each other's entries. */
final class EntryFormTest {
  private static TestGrid grid;

  @BeforeAll
  static void start() {
    grid = new TestGrid(1, 31);
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  @Test
  void keysAndValuesAreBitForBitWhatHazelcastMakesOfThem() {
    SerializationService serialization =
        TestGrid.nodeEngine(grid.member(0)).getSerializationService();
    for (String key : List.of("", "user:1", "\u00e9\u20ac\ud83d\ude00", "\0", "x".repeat(70_000))) {
      Data theirs = serialization.toData(key);
      Data ours = KeyData.ofKey(key.getBytes(UTF_8));
      assertThat(ours.toByteArray()).isEqualTo(theirs.toByteArray());
      assertThat(ours.getPartitionHash()).isEqualTo(theirs.getPartitionHash());
      assertThat(KeyData.keyBytes(theirs)).isEqualTo(key.getBytes(UTF_8));
    }
    byte[] notUtf8 = {(byte) 0xff, 0, 1};
    Data theirs = serialization.toData(notUtf8);
    assertThat(KeyData.ofKey(notUtf8).toByteArray()).isEqualTo(theirs.toByteArray());
    assertThat(KeyData.ofValue(notUtf8).toByteArray()).isEqualTo(theirs.toByteArray());
    assertThat(KeyData.keyBytes(theirs)).isEqualTo(notUtf8);
  }

  @Test
  void noByteStringNamesOtherKeys() {
    SerializationService serialization =
        TestGrid.nodeEngine(grid.member(0)).getSerializationService();
    assertThat(KeyData.keyBytes(serialization.toData(5))).isNull();
    assertThat(KeyData.keyBytes(serialization.toData(utf8("a string's bytes")))).isNull();
  }

  @Test
  void tellsUtf8FromOtherBytesAsTheDecoderDoes() {
    Random random = new Random(11);
    int[] interesting = {0, 0x7f, 0x80, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5};
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[random.nextInt(6)];
      for (int j = 0; j < bytes.length; j++) {
        boolean any = random.nextInt(3) == 0;
        bytes[j] = (byte) (any ? random.nextInt(256) : interesting[random.nextInt(13)]);
      }
      boolean roundTrip = Arrays.equals(new String(bytes, UTF_8).getBytes(UTF_8), bytes);
      assertThat(Utf8.isWellFormed(bytes)).as("%s", Arrays.toString(bytes)).isEqualTo(roundTrip);
    }
  }

  @Test
  void aHazelcastClientSeesStringsAndByteArrays() {
    KeyMap map = grid.map(0, "acme", "seen");
    byte[] notUtf8 = {(byte) 0xff};
    Batches.run(map, KeyCommand.Write.of(utf8("user:1"), utf8("v")));
    Batches.run(map, KeyCommand.Write.of(notUtf8, utf8("w")));
    IMap<Object, Object> seen = grid.member(0).getMap("acme/seen");
    assertThat(seen.get("user:1")).isEqualTo(utf8("v"));
    assertThat(seen.get(notUtf8)).isEqualTo(utf8("w"));
    assertThat(seen.keySet()).hasSize(2);
  }

  @Test
  void whatAHazelcastClientPutsReadsAsText() {
    KeyMap map = grid.map(0, "acme", "put");
    IMap<Object, Object> theirs = grid.member(0).getMap("acme/put");
    UUID id = new UUID(1, 2);
    Map<Object, String> texts =
        Map.ofEntries(
            Map.entry("h\u00e9", "h\u00e9"),
            Map.entry((byte) -1, "-1"),
            Map.entry((short) 300, "300"),
            Map.entry(42, "42"),
            Map.entry(Long.MIN_VALUE, "-9223372036854775808"),
            Map.entry(1.5f, "1.5"),
            Map.entry(-2.25, "-2.25"),
            Map.entry(BigInteger.TEN.pow(30), "1" + "0".repeat(30)),
            Map.entry(new BigDecimal("1E+3"), "1000"),
            Map.entry(true, "true"),
            Map.entry('\u20ac', "\u20ac"),
            Map.entry(id, id.toString()),
            Map.entry(new HazelcastJsonValue("{\"a\":1}"), "{\"a\":1}"));
    texts.forEach(
        (value, text) -> {
          theirs.put("k", value);
          int length = text.getBytes(UTF_8).length;
          assertThat(texts(map, new KeyCommand.Read(utf8("k"))))
              .containsExactly("Entry " + Batches.latin(utf8(text)));
          assertThat(texts(map, new KeyCommand.Probe(utf8("k"), false)))
              .containsExactly("Info " + length);
        });
    theirs.put("n", 41);
    assertThat(texts(map, new KeyCommand.Increment(utf8("n"), 1))).containsExactly("Integer 42");
  }

  @Test
  void otherValuesHaveNoTextAndAreNeverDeserialized() {
    KeyMap map = grid.map(0, "acme", "opaque");
    IMap<Object, Object> theirs = grid.member(0).getMap("acme/opaque");
    theirs.put("k", new Trap());
    assertThat(
            texts(
                map,
                new KeyCommand.Read(utf8("k")),
                new KeyCommand.Probe(utf8("k"), true),
                new KeyCommand.Append(utf8("k"), utf8("x"), 100),
                new KeyCommand.Remove(utf8("k"), true)))
        .containsExactly("WRONG_TYPE", "Info -1", "WRONG_TYPE", "WRONG_TYPE");
    theirs.put("array", new int[] {1});
    assertThat(texts(map, new KeyCommand.Read(utf8("array")))).containsExactly("WRONG_TYPE");
    assertThat(Batches.await(map.rename(utf8("array"), utf8("moved"), false)))
        .isEqualTo(KeyMap.MoveOutcome.DONE);
    assertThat(theirs.get("moved")).isEqualTo(new int[] {1});
    assertThat(texts(map, new KeyCommand.Remove(utf8("k"), false))).containsExactly("Applied");
  }

  /** Anything but harmless to read. */
  private static final class Trap implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    @Serial
    private void readObject(ObjectInputStream in) throws IOException {
      throw new IOException("a value of a tenant was deserialized");
    }
  }
}
