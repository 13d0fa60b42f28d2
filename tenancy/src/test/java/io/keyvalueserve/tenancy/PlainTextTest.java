package io.keyvalueserve.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {
  @Test
  void textWithNothingToHideStaysTheSameObject() {
    String text = "orders of caf\u00e9 \u6f22\u5b57 \ud83d\ude00 'a\\nb'";
    assertThat(PlainText.escaped(text)).isSameAs(text);
    assertThat(PlainText.escaped("")).isEmpty();
  }

  @Test
  void whatCouldBeginALineOrSpeakToATerminalIsEscaped() {
    assertThat(PlainText.escaped("a\nb\r\tc")).isEqualTo("a\\nb\\r\\tc");
    assertThat(PlainText.escaped("\u0000\u001b[1m\u007f\u0085\u009b"))
        .isEqualTo("\\u0000\\u001b[1m\\u007f\\u0085\\u009b");
    assertThat(PlainText.escaped("x\u2028\u2029\u202e\u2066\u200f"))
        .isEqualTo("x\\u2028\\u2029\\u202e\\u2066\\u200f");
    String once = PlainText.escaped("\n\u0085");
    assertThat(PlainText.escaped(once)).isSameAs(once);
  }
}
