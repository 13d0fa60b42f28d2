package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RespSkimmerTest {
  private static final String PAGE = "*2\r\n$2\r\n17\r\n*2\r\n$5\r\nab\r\nc\r\n$3\r\n-no\r\n";

  private final List<String> failures = new ArrayList<>();
  private RespSkimmer skimmer = new RespSkimmer(failures::add);

  @BeforeEach
  void begin() {
    skimmer = new RespSkimmer(failures::add);
  }

  @Test
  void countsEveryKindOfReplyOnce() {
    assertThat(take("+OK\r\n:17\r\n$-1\r\n$0\r\n\r\n*0\r\n*-1\r\n")).isEqualTo(6);
    assertThat(take("*2\r\n*2\r\n:1\r\n$-1\r\n*0\r\n")).isEqualTo(1);
    assertThat(failures).isEmpty();
  }

  @Test
  void tellsErrorsThatAreRepliesOfTheirOwn() {
    assertThat(take("-THROTTLED slow down\r\n*2\r\n-within\r\n:1\r\n-ERR no\r\n")).isEqualTo(3);
    assertThat(failures).containsExactly("THROTTLED slow down", "ERR no");
  }

  @Test
  void findsTheSameHoweverTheBytesAreCut() {
    String all = "+OK\r\n" + PAGE + "-ERR no\r\n$1000\r\n" + "x\n".repeat(500) + "\r\n";
    for (int size = 1; size <= all.length(); size++) {
      begin();
      failures.clear();
      int replies = 0;
      for (int from = 0; from < all.length(); from += size) {
        replies += take(all.substring(from, Math.min(from + size, all.length())));
      }
      assertThat(replies).as("pieces of %d", size).isEqualTo(4);
      assertThat(failures).as("pieces of %d", size).containsExactly("ERR no");
    }
  }

  @Test
  void keepsTheCursorOfAPage() {
    assertThat(take(PAGE)).isEqualTo(1);
    assertThat(skimmer.first()).isEqualTo("17");
    assertThat(take("*2\r\n$1\r\n0\r\n*0\r\n")).isEqualTo(1);
    assertThat(skimmer.first()).isEqualTo("0");
    assertThat(take("$40\r\n" + "y".repeat(40) + "\r\n")).isEqualTo(1);
    assertThat(skimmer.first()).as("was long").isEmpty();
  }

  @Test
  void refusesWhatIsNoneOfTheProtocol() {
    assertThatThrownBy(() -> take("HTTP/1.1 400\r\n"))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("HTTP/1.1 400");
    begin();
    assertThatThrownBy(() -> take("+" + "x".repeat(5000))).isInstanceOf(BenchException.class);
  }

  private int take(String text) {
    byte[] bytes = ("??" + text).getBytes(ISO_8859_1);
    return skimmer.take(bytes, 2, bytes.length);
  }
}
