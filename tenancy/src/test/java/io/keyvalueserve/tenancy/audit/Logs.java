package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;

/** What tests ask of a log and its directory. */
final class Logs {
  static final UUID MEMBER = new UUID(1, 2);

  private Logs() {}

  static AuditLog open(AuditConfig config, HandClock clock) {
    return AuditLog.open(config, MEMBER, clock, text -> {});
  }

  /** Every event, oldest first, page by page. */
  static List<AuditEvent> all(AuditLog log) {
    return all(log, AuditQuery.all().paged(AuditQuery.Order.OLDEST_FIRST, 1_000));
  }

  static List<AuditEvent> all(AuditLog log, AuditQuery query) {
    List<AuditEvent> events = new ArrayList<>();
    AuditPage page = log.find(query);
    events.addAll(page.events());
    for (OptionalLong next = page.next(); next.isPresent(); next = page.next()) {
      assertThat(page.events()).hasSize(query.limit());
      page = log.find(query.after(next.getAsLong()));
      events.addAll(page.events());
    }
    return events;
  }

  /** Sums up counts: of calls, and of the calls that notices tell of. */
  static long calls(List<AuditEvent> events) {
    return events.stream()
        .filter(event -> event.kind() != AuditKind.AUDIT_REPAIRED)
        .mapToLong(AuditEvent::count)
        .sum();
  }

  static void assertSequencesHaveNoGap(List<AuditEvent> events) {
    for (int i = 1; i < events.size(); i++) {
      assertThat(events.get(i).sequence()).isEqualTo(events.get(i - 1).sequence() + 1);
    }
  }

  static List<Path> segments(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jsonl")).sorted().toList();
    }
  }

  static long bytes(Path directory) throws IOException {
    long bytes = 0;
    for (Path segment : segments(directory)) {
      bytes += Files.size(segment);
    }
    return bytes;
  }
}
