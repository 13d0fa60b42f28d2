package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;

/** What a probe reported, and what a good report says. */
final class ProbeReport {
  private final JsonNode report;
  private final Set<String> excused;

  ProbeReport(JsonNode report) {
    this(report, Set.of());
  }

  private ProbeReport(JsonNode report, Set<String> excused) {
    this.report = report;
    this.excused = excused;
  }

  /** Returns this report, in which an operation may fail. */
  ProbeReport excusing(String operation) {
    return new ProbeReport(report, Set.of(operation));
  }

  /** The {@code write} phase: all was empty, every operation did what it should, all is there. */
  void assertWroteAll(Set<String> structures, String marker) {
    assertThat(kinds()).isEqualTo(structures);
    SoftAssertions soft = new SoftAssertions();
    for (String kind : structures) {
      JsonNode structure = report.path("structures").path(kind);
      soft.assertThat(texts(structure.path("before"))).as("%s before", kind).isEmpty();
      soft.assertThat(failures(structure)).as("%s operations", kind).isEmpty();
      soft.assertThat(structure.path("operations").size()).as("%s operations", kind).isPositive();
      soft.assertThat(texts(structure.path("content")))
          .as("%s content", kind)
          .isEqualTo(content(kind, marker));
    }
    soft.assertThat(failures(report.path("objects"))).as("distributed objects").isEmpty();
    soft.assertAll();
    assertLists(structures);
  }

  /** The {@code again} phase: everything is as the tenant left it. */
  void assertFoundAll(Set<String> structures, String marker) {
    assertThat(kinds()).isEqualTo(structures);
    SoftAssertions soft = new SoftAssertions();
    for (String kind : structures) {
      soft.assertThat(texts(report.path("structures").path(kind).path("before")))
          .as("%s", kind)
          .isEqualTo(content(kind, marker));
    }
    soft.assertAll();
    assertLists(structures);
  }

  /** The {@code refusals} phase: every answer is a refusal without a look inside the server. */
  void assertRefusedAll(String marker) {
    assertThat(report.path("refusals").isEmpty()).isFalse();
    SoftAssertions soft = new SoftAssertions();
    report
        .path("refusals")
        .properties()
        .forEach(
            refusal ->
                soft.assertThat(refusal.getValue().asText())
                    .as(refusal.getKey())
                    .isNotBlank()
                    .doesNotStartWith("answered")
                    .doesNotContain(".java:", "io.keyvalueserve."));
    soft.assertAll();
    assertThat(report.path("alive").asText()).isEqualTo(marker + "-a");
  }

  /** The names are as the tenant wrote them, and there are no others. */
  private void assertLists(Set<String> structures) {
    Set<String> expected = new TreeSet<>();
    structures.forEach(kind -> expected.addAll(objects(kind)));
    assertThat(new TreeSet<>(texts(report.path("objects").path("listed")))).isEqualTo(expected);
  }

  private Set<String> kinds() {
    Set<String> kinds = new TreeSet<>();
    report.path("structures").fieldNames().forEachRemaining(kinds::add);
    return kinds;
  }

  private Map<String, String> failures(JsonNode part) {
    Map<String, String> failures = new TreeMap<>();
    part.path("operations")
        .properties()
        .forEach(
            operation -> {
              if (!operation.getValue().asText().equals("ok")
                  && !excused.contains(operation.getKey())) {
                failures.put(operation.getKey(), operation.getValue().asText());
              }
            });
    return failures;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  /** What the scenario leaves in a structure. */
  private static List<String> content(String kind, String m) {
    return switch (kind) {
      case "map" -> List.of("a=" + m + "-a", "b=" + m + "-b", "c=" + m + "-c", "e=" + m + "-e");
      case "queue" -> List.of(m + "-3");
      case "set", "list", "ringbuffer" -> List.of(m + "-1", m + "-2");
      case "multimap" -> List.of("a=" + m + "-1", "a=" + m + "-2");
      case "replicatedMap" -> List.of("a=" + m + "-a", "b=" + m + "-b");
      case "pnCounter" -> List.of("5");
      case "transactions" ->
          List.of(
              "list " + m + "-t",
              "map a=" + m + "-t",
              "multimap a=" + m + "-t",
              "queue " + m + "-t",
              "set " + m + "-t");
      case "topic", "reliableTopic", "flakeId" -> List.of();
      default -> throw new AssertionError("the probe tells of an unknown structure: " + kind);
    };
  }

  /** The distributed objects that the scenario makes for a structure. */
  private static List<String> objects(String kind) {
    return switch (kind) {
      case "multimap" -> List.of("hz:impl:multiMapService orders");
      case "pnCounter" -> List.of("hz:impl:PNCounterService orders");
      case "flakeId" -> List.of("hz:impl:flakeIdGeneratorService orders");
      case "reliableTopic" ->
          List.of("hz:impl:reliableTopicService orders", "hz:impl:ringbufferService _hz_rb_orders");
      case "transactions" ->
          List.of(
              "hz:impl:mapService transfers-map",
              "hz:impl:queueService transfers-queue",
              "hz:impl:listService transfers-list",
              "hz:impl:setService transfers-set",
              "hz:impl:multiMapService transfers-multimap");
      default -> List.of("hz:impl:" + kind + "Service orders");
    };
  }
}
