package io.keyvalueserve.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.keyvalueserve.stores.PgOutput.Message;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class PgOutputTest {
  private static final String KINDS = "BCRIUDTOYMZ";
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void messagesAreRead() {
    assertThat(
            PgOutput.read(message('C').put((byte) 0).putLong(1).putLong(2).putLong(3_000).flip()))
        .isEqualTo(new PgOutput.Commit(2, 946_684_800_003L));
    ByteBuffer insert = message('I').putInt(7).put((byte) 'N').putShort((short) 3);
    insert
        .put((byte) 'n')
        .put((byte) 'u')
        .put((byte) 't')
        .putInt(2)
        .put((byte) 'a')
        .put((byte) 'b');
    assertThat(PgOutput.read(insert.flip()))
        .isEqualTo(
            new PgOutput.Insert(
                7,
                List.of(PgOutput.Absent.NULL, PgOutput.Absent.UNCHANGED, new PgOutput.Text("ab"))));
    ByteBuffer relation = message('R').putInt(7).put(text("public")).put(text("people"));
    relation
        .put((byte) 'd')
        .putShort((short) 1)
        .put((byte) 1)
        .put(text("id"))
        .putInt(25)
        .putInt(-1);
    assertThat(PgOutput.read(relation.flip()))
        .isEqualTo(new PgOutput.Relation(7, List.of(new PgOutput.Column("id", 25))));
  }

  @Test
  void countsAreCheckedBeforeMemoryIsTaken() {
    for (ByteBuffer hostile :
        List.of(
            message('T').putInt(Integer.MAX_VALUE).put((byte) 0).flip(),
            message('I')
                .putInt(7)
                .put((byte) 'N')
                .putShort((short) 1)
                .put((byte) 't')
                .putInt(-5)
                .flip(),
            message('D').putInt(7).put((byte) 'K').putShort((short) -1).flip(),
            message('R').putInt(7).put((byte) 'x').flip())) {
      assertThatThrownBy(() -> PgOutput.read(hostile)).isInstanceOf(StoreException.class);
    }
  }

  @Property(tries = 20_000)
  void anyBytesAreAMessageOrRefused(
      @ForAll int kind, @ForAll @Size(max = 200) byte[] body, @ForAll boolean plausible) {
    ByteBuffer bytes = ByteBuffer.allocate(body.length + 1);
    bytes.put((byte) KINDS.charAt(Math.floorMod(kind, KINDS.length())));
    for (byte each : body) {
      bytes.put(plausible ? (byte) "\0\0\0\1\2NKOtnu".charAt(Math.floorMod(each, 11)) : each);
    }
    bytes.flip();
    read(bytes); // what is loaded for the first time takes memory too
    long before = THREADS.getCurrentThreadAllocatedBytes();
    read(bytes);
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(256 << 10);
  }

  private static void read(ByteBuffer bytes) {
    try {
      Message _ = PgOutput.read(bytes.duplicate());
    } catch (StoreException e) {
      assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE);
    }
  }

  private static ByteBuffer message(char kind) {
    return ByteBuffer.allocate(200).put((byte) kind);
  }

  private static byte[] text(String text) {
    return (text + '\0').getBytes(StandardCharsets.US_ASCII);
  }
}
