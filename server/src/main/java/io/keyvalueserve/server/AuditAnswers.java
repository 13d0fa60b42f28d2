package io.keyvalueserve.server;

import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.server.AuditTrails.Trail;
import io.keyvalueserve.tenancy.audit.AuditCodec;
import io.keyvalueserve.tenancy.audit.AuditEvent;
import io.keyvalueserve.tenancy.audit.AuditPage;
import io.keyvalueserve.tenancy.audit.AuditQuery;
import io.keyvalueserve.tenancy.audit.AuditQueryCodec;
import io.keyvalueserve.tenancy.audit.DamagedLineException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The events of the audit trails of all members.
 *
 * @param events the newest first, as many as were asked for at most
 * @param silent the addresses of members that gave no answer
 */
public record AuditAnswers(List<AuditEvent> events, List<String> silent) {
  private static final String TOPIC = "audit";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Comparator<AuditEvent> NEWEST_FIRST =
      Comparator.comparing(AuditEvent::time)
          .thenComparing(AuditEvent::member)
          .thenComparingLong(AuditEvent::sequence)
          .reversed();

  /** Has this member's trails asked by others. */
  static void offer(Answerers answerers, AuditTrails trails) {
    for (Trail trail : Trail.values()) {
      answerers.add(topic(trail), question -> answer(trails, trail, question));
    }
  }

  private static String topic(Trail trail) {
    return TOPIC + "." + trail;
  }

  private static String answer(AuditTrails trails, Trail trail, String question) {
    AuditPage page = trails.of(trail).find(AuditQueryCodec.decode(question));
    StringBuilder lines = new StringBuilder();
    page.events()
        .forEach(
            event -> lines.append(new String(AuditCodec.encode(event), StandardCharsets.UTF_8)));
    return lines.toString();
  }

  static AuditAnswers ask(Questioner questioner, Trail trail, AuditQuery query) {
    List<AuditEvent> events = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (MemberAnswer answer :
        questioner.ask(topic(trail), AuditQueryCodec.encode(query), PATIENCE)) {
      String lines = answer.text();
      if (lines == null || !read(lines, events)) {
        silent.add(answer.member());
      }
    }
    events.sort(NEWEST_FIRST);
    return new AuditAnswers(
        List.copyOf(events.subList(0, Math.min(events.size(), query.limit()))), silent);
  }

  /**
   * Reads events and returns whether all lines could be read. They can be if the member is of this
   * version.
   */
  private static boolean read(String lines, List<AuditEvent> into) {
    try {
      for (String line : lines.lines().toList()) {
        into.add(AuditCodec.decode(line.getBytes(StandardCharsets.UTF_8)));
      }
      return true;
    } catch (DamagedLineException e) {
      return false;
    }
  }
}
