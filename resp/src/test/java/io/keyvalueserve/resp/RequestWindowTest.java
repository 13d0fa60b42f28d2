package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyRanges;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.resp.command.CommandTable;
import io.keyvalueserve.resp.protocol.RequestLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: what a window holds, and which keys it announces. */
class RequestWindowTest {
  private static final RequestLimits LIMITS = new RequestLimits(1_000, 1024 * 1024, 100_000);

  private final RequestWindow window = new RequestWindow(CommandTable.standard(), LIMITS);

  @Test
  void announcesTheKeysOfAllRequestsInOrder() {
    assertThat(
            announced(
                "SET a 1 EX 10",
                "PING",
                "get b",
                "MSET c 1 d 2",
                "MGET e f",
                "RENAME g h",
                "STRLEN i"))
        .containsExactly("a", "b", "c", "d", "e", "f", "g", "h", "i");
  }

  @Test
  void doesNotAnnounceASingleKey() {
    assertThat(announced("GET a")).isEmpty();
    assertThat(announced("PING", "GET a", "PING")).isEmpty();
  }

  @Test
  void endsBeforeWhatItDoesNotKnowOrHasNotSeenWhole() {
    byte[] bytes = bytes("GET a", "NOSUCH b", "GET c");
    assertThat(window.fill(bytes, 0, bytes.length)).isEqualTo(1);
    assertThat(window.fill(bytes, window.end(0), bytes.length)).isZero();
    byte[] wrongArity = bytes("GET a", "GET a b");
    assertThat(window.fill(wrongArity, 0, wrongArity.length)).isEqualTo(1);
    byte[] part = bytes("GET a", "GET b");
    assertThat(window.fill(part, 0, part.length - 1)).isEqualTo(1);
  }

  /** Or slices would parse again and again what they do not come to. */
  @Test
  void endsWhenAsManyKeysAreSeenAsAreAnticipated() {
    String many = "EXISTS" + " k".repeat(64);
    byte[] bytes = bytes(many, many, "GET a");
    assertThat(window.fill(bytes, 0, bytes.length)).isEqualTo(1);
    byte[] pairs = bytes("MSET" + " k v".repeat(40), "MSET" + " k v".repeat(40), "GET a");
    assertThat(window.fill(pairs, 0, pairs.length)).isEqualTo(2);
    String[] single = new String[40];
    Arrays.fill(single, "SET k v EX 10");
    byte[] singles = bytes(single);
    assertThat(window.fill(singles, 0, singles.length)).isEqualTo(32);
  }

  @Test
  void aPipelineOfAnyLengthIsTakenWindowByWindow() {
    String[] requests = new String[1_000];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = "GET " + i;
    }
    byte[] bytes = bytes(requests);
    int at = 0;
    int seen = 0;
    while (at < bytes.length) {
      int count = window.fill(bytes, at, bytes.length);
      assertThat(count).isPositive();
      for (int i = 0; i < count; i++) {
        assertThat(window.request(i).toRequest().argument(1))
            .asString(StandardCharsets.US_ASCII)
            .isEqualTo(Integer.toString(seen++));
        at = window.end(i);
      }
    }
    assertThat(seen).isEqualTo(requests.length);
  }

  private List<String> announced(String... requests) {
    byte[] bytes = bytes(requests);
    assertThat(window.fill(bytes, 0, bytes.length)).isEqualTo(requests.length);
    Listener listener = new Listener();
    window.announce(listener);
    return listener.keys;
  }

  private static byte[] bytes(String... requests) {
    StringBuilder frames = new StringBuilder();
    for (String request : requests) {
      String[] words = request.split(" ", -1);
      frames.append('*').append(words.length).append("\r\n");
      for (String word : words) {
        frames.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
      }
    }
    return frames.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Notes what it is told to anticipate. */
  private static final class Listener implements DirectMap {
    private final List<String> keys = new ArrayList<>();

    @Override
    public void anticipate(KeyRanges ranges) {
      for (int i = 0; i < ranges.count(); i++) {
        keys.add(
            new String(
                ranges.bytes(), ranges.offset(i), ranges.length(i), StandardCharsets.US_ASCII));
      }
    }

    @Override
    public int read(byte[] bytes, int keyOffset, int keyLength, ValueSink sink) {
      return NOT_NOW;
    }

    @Override
    public int length(byte[] bytes, int keyOffset, int keyLength) {
      return NOT_NOW;
    }

    @Override
    public long expireAt(byte[] bytes, int keyOffset, int keyLength) {
      return Expiry.NONE;
    }

    @Override
    public boolean write(
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength,
        long expireAtMillis) {
      return false;
    }

    @Override
    public @Nullable Outcome execute(KeyCommand command) {
      return null;
    }
  }
}
