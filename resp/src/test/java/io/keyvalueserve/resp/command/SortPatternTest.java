package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.resp.command.SortPattern.Kind;
import org.junit.jupiter.api.Test;

/** Patterns of SORT, and the keys and fields that they name. */
class SortPatternTest {
  @Test
  void namesKeysAndFields() {
    assertThat(named("weight_*")).isEqualTo("weight_e");
    assertThat(named("*")).isEqualTo("e");
    assertThat(named("a*b*")).isEqualTo("aeb*");
    assertThat(named("h:*->f")).isEqualTo("h:e -> f");
    assertThat(named("h:*:x->f->g")).isEqualTo("h:e:x -> f->g");
    assertThat(named("a->b*->c")).isEqualTo("a->be -> c");
    assertThat(named("*->*")).isEqualTo("e -> *");
    assertThat(named("*->")).isEqualTo("e->");
    assertThat(named("a->b*")).isEqualTo("a->be");
  }

  @Test
  void knowsTheElementAndWhatHasNoPlaceForIt() {
    assertThat(pattern("#").kind()).isEqualTo(Kind.ELEMENT);
    assertThat(pattern("##").kind()).isEqualTo(Kind.NOTHING);
    assertThat(pattern("").kind()).isEqualTo(Kind.NOTHING);
    assertThat(pattern("nosort").kind()).isEqualTo(Kind.NOTHING);
    assertThat(pattern("key->field").kind()).isEqualTo(Kind.NOTHING);
    assertThat(pattern("#*").kind()).isEqualTo(Kind.VALUE);
  }

  private static SortPattern pattern(String text) {
    return SortPattern.of(text.getBytes(US_ASCII));
  }

  private static String named(String text) {
    KeyCommand read = pattern(text).read("e".getBytes(US_ASCII), 1024);
    String key = new String(read.key(), US_ASCII);
    return read instanceof KeyCommand.OnCollection on
        ? key + " -> " + new String(on.arguments().text(0), US_ASCII)
        : key;
  }
}
