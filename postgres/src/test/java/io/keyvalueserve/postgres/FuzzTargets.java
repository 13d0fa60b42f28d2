package io.keyvalueserve.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.keyvalueserve.postgres.syntax.Statement;
import io.keyvalueserve.postgres.wire.Message;
import io.keyvalueserve.postgres.wire.MessageReader;
import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.postgres.wire.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What holds for any bytes from outside, as targets for Jazzer: {@code JAZZER_FUZZ=1 mvn -pl
 * postgres -am test -Dtest=FuzzTargets} searches; without that variable the corpus is run.
 */
public class FuzzTargets {
  private static final int MOST_BYTES = 10_000;

  @FuzzTest(maxDuration = "10s")
  void bytes(byte[] input) {
    checkReader(input);
  }

  @FuzzTest(maxDuration = "10s")
  void text(byte[] input) {
    checkText(new String(input, StandardCharsets.UTF_8));
  }

  /** However it is split, the stream gives the same messages. */
  static void checkReader(byte[] input) {
    Random random = new Random(Arrays.hashCode(input));
    for (boolean hasTypes : new boolean[] {true, false}) {
      List<String> whole = read(input, hasTypes, input.length);
      assertThat(read(input, hasTypes, 1)).isEqualTo(whole);
      assertThat(read(input, hasTypes, 1 + random.nextInt(50))).isEqualTo(whole);
    }
  }

  private static List<String> read(byte[] input, boolean hasTypes, int piece) {
    MessageReader reader = new MessageReader(MOST_BYTES);
    if (hasTypes) {
      reader.withTypes();
    }
    List<String> messages = new ArrayList<>();
    try {
      for (int at = 0; at < input.length; at += piece) {
        ByteBuf in = Unpooled.wrappedBuffer(input, at, Math.min(piece, input.length - at));
        Message message;
        while ((message = reader.next(in)) != null) {
          messages.add(message.type() + ":" + Arrays.hashCode(message.body()));
        }
        assertThat(reader.heldBytes()).isLessThanOrEqualTo(2 * input.length + 1024);
      }
    } catch (ProtocolException e) {
      messages.add(e.text());
    }
    return messages;
  }

  /** Any text is statements or an error, and the statements are within it. */
  static void checkText(String text) {
    try {
      for (Statement statement : Statement.split(text)) {
        assertThat(text.startsWith(statement.sql(), statement.offset())).isTrue();
      }
    } catch (PostgresException e) {
      assertThat(e.state()).isEqualTo("42601");
    }
  }
}
