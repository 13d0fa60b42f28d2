package io.keyvalueserve.billing.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads OpenMetrics text of gauges and counters strictly, by the grammar and the rules of the
 * specification, version 1.0: what is wrong fails the test.
 */
final class OpenMetricsReader {
  private static final Pattern META =
      Pattern.compile("# (TYPE|UNIT|HELP) ([a-zA-Z_:][\\w:]*) (.*)");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][\\w:]*)(\\{(.*)})? ([^ ]+)( [0-9.]+)?");
  private static final Pattern LABELS =
      Pattern.compile(
          "[a-zA-Z_]\\w*=\"([^\"\\\\\\n]|\\\\[\"\\\\n])*\"(,[a-zA-Z_]\\w*=\"([^\"\\\\\\n]|\\\\[\"\\\\n])*\")*");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private final Map<String, String> types = new HashMap<>();
  private final Set<String> units = new HashSet<>();
  private final Map<String, String> samples = new LinkedHashMap<>();
  private final Set<String> done = new HashSet<>();
  private String family = "";
  private boolean hasSamples;

  private OpenMetricsReader() {}

  /** The values by the names and labels of samples. */
  static Map<String, String> read(String text) {
    OpenMetricsReader reader = new OpenMetricsReader();
    assertThat(text).endsWith("\n# EOF\n").doesNotContain("\r");
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length - 2; i++) {
      reader.line(lines[i]);
    }
    return reader.samples;
  }

  private void line(String line) {
    assertThat(line).as("no empty lines, and EOF once").isNotEmpty().isNotEqualTo("# EOF");
    if (line.startsWith("#")) {
      meta(line);
    } else {
      sample(line);
    }
  }

  private void meta(String line) {
    Matcher meta = META.matcher(line);
    assertThat(meta.matches()).as(line).isTrue();
    String name = meta.group(2);
    if (!name.equals(family)) {
      done.add(family);
      assertThat(done).as("families do not interleave: " + line).doesNotContain(name);
      family = name;
      hasSamples = false;
    }
    assertThat(hasSamples).as("metadata comes first: " + line).isFalse();
    switch (meta.group(1)) {
      case "TYPE" -> {
        assertThat(meta.group(3)).isIn("gauge", "counter");
        assertThat(types.put(name, meta.group(3))).as("one type: " + line).isNull();
      }
      case "UNIT" -> {
        assertThat(units.add(name)).as("one unit: " + line).isTrue();
        assertThat(name).as("the unit ends the name").endsWith("_" + meta.group(3));
      }
      default -> assertThat(meta.group(3)).isNotBlank();
    }
  }

  private void sample(String line) {
    Matcher sample = SAMPLE.matcher(line);
    assertThat(sample.matches()).as(line).isTrue();
    String labels = sample.group(3) == null ? "" : sample.group(3);
    if (!labels.isEmpty()) {
      assertThat(LABELS.matcher(labels).matches()).as(line).isTrue();
    }
    String type = types.get(family);
    String suffix = sample.group(1).substring(family.length());
    assertThat(sample.group(1)).as(line).startsWith(family);
    assertThat("counter".equals(type) ? Set.of("_total", "_created") : Set.of(""))
        .as(line)
        .contains(suffix);
    assertThat(NUMBER.matcher(sample.group(4)).matches()).as(line).isTrue();
    if (suffix.equals("_total")) {
      assertThat(sample.group(4)).as("counters are not negative: " + line).doesNotStartWith("-");
    }
    assertThat(samples.put(sample.group(1) + "{" + labels + "}", sample.group(4)))
        .as("each sample once: " + line)
        .isNull();
    hasSamples = true;
  }
}
