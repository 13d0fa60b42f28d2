package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.AuditQuery.Order;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class AuditQueryTest {
  @TempDir Path directory;
  private final HandClock clock = new HandClock();

  /** Random queries, page by page and exported, against a filter of all events. */
  @ParameterizedTest
  @CsvSource({"1,true", "2,true", "3,true", "4,false"})
  void findsWhatAFilterFinds(long seed, boolean onDisk) throws Exception {
    Random random = new Random(seed);
    RandomOccurrences occurrences = new RandomOccurrences(random);
    AuditConfig config =
        (onDisk ? AuditConfig.in(directory) : AuditConfig.inMemory())
            .keeping(64 << 10, 1 << 30, Duration.ofDays(90));
    try (AuditLog log = Logs.open(config, clock)) {
      for (int i = 0; i < 3_000; i++) {
        log.record(occurrences.next());
        clock.turn(Duration.ofMillis(random.nextInt(700) == 0 ? -100_000 : random.nextInt(300)));
      }
      List<AuditEvent> model = Logs.all(log);
      assertThat(model).hasSizeGreaterThan(2_000);
      for (int i = 0; i < 20; i++) {
        Asked asked = asked(random, occurrences, model);
        List<AuditEvent> expected = model.stream().filter(asked.model()).toList();
        AuditQuery query = asked.query().paged(Order.OLDEST_FIRST, 1 + random.nextInt(500));
        assertThat(Logs.all(log, query)).isEqualTo(expected);
        assertThat(Logs.all(log, query.paged(Order.NEWEST_FIRST, query.limit())))
            .isEqualTo(expected.reversed());
        assertThat(exported(log, query)).isEqualTo(expected);
      }
    }
  }

  private record Asked(AuditQuery query, Predicate<AuditEvent> model) {}

  private Asked asked(Random random, RandomOccurrences occurrences, List<AuditEvent> all) {
    AuditQuery query = AuditQuery.all();
    Predicate<AuditEvent> model = event -> true;
    if (random.nextBoolean()) {
      Instant from = all.get(random.nextInt(all.size())).time();
      Instant to = all.get(random.nextInt(all.size())).time();
      query = query.between(from, to);
      model =
          event ->
              event.time().toEpochMilli() >= from.toEpochMilli()
                  && event.time().toEpochMilli() < to.toEpochMilli();
    }
    if (random.nextInt(3) == 0) {
      TenantName tenant = new TenantName("t" + random.nextInt(4));
      query = query.of(tenant);
      model =
          model.and(
              event ->
                  tenant.equals(event.tenant())
                      || event.actor().text().startsWith("tenant:" + tenant + "/"));
    }
    if (random.nextInt(3) == 0) {
      Set<AuditKind> kinds = EnumSet.of(AuditKind.LOGIN_REFUSED, AuditKind.KEY_REVOKED);
      query = query.of(kinds);
      model = model.and(event -> kinds.contains(event.kind()));
    }
    if (random.nextInt(3) == 0) {
      Actor actor = occurrences.actor();
      query = query.by(actor.text());
      model =
          model.and(
              event ->
                  event.actor().equals(actor)
                      || (actor.equals(new Actor.Operator(""))
                          && event.actor() instanceof Actor.Operator));
    }
    if (random.nextInt(3) == 0) {
      String part = "ab".substring(random.nextInt(2));
      query = query.on(part);
      model = model.and(event -> event.object().contains(part));
    }
    return new Asked(query, model);
  }

  private static List<AuditEvent> exported(AuditLog log, AuditQuery query) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AuditExport export = log.export(query, out);
    List<AuditEvent> events = new ArrayList<>();
    for (byte[] line : lines(out.toByteArray())) {
      events.add(AuditCodec.decode(line));
    }
    assertThat(export.events()).isEqualTo(events.size());
    return events;
  }

  private static List<byte[]> lines(byte[] bytes) {
    List<byte[]> lines = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        lines.add(Arrays.copyOfRange(bytes, begin, i + 1));
        begin = i + 1;
      }
    }
    return lines;
  }

  @Test
  void findsActorsByTheBeginningOfTheirTexts() {
    try (AuditLog log = Logs.open(AuditConfig.inMemory(), clock)) {
      TenantName a = new TenantName("a");
      for (Actor actor :
          List.of(
              new Actor.TenantKey(a, "k1"),
              new Actor.TenantKey(new TenantName("ab"), "k1"),
              new Actor.TenantKey(new TenantName("operator"), "k1"),
              new Actor.Operator("10.0.0.1"),
              new Actor.Operator(""))) {
        log.record(Occurrence.tenantSuspended(actor, a));
      }
      assertThat(log.find(AuditQuery.all().by("tenant:a")).events()).hasSize(1);
      assertThat(log.find(AuditQuery.all().by("tenant:a/k")).events()).isEmpty();
      assertThat(log.find(AuditQuery.all().by("tenant")).events()).hasSize(3);
      assertThat(log.find(AuditQuery.all().by("operator")).events()).hasSize(2);
    }
  }

  /** Two segments have a damaged line in their midst: whoever reads one through tells of it. */
  @Test
  void readsNoSegmentOutsideOfTheTimesOrBeforeTheCursorOrBehindThePage() throws Exception {
    AuditConfig config = AuditConfig.in(directory).keeping(64 << 10, 1 << 30, Duration.ofDays(90));
    try (AuditLog log = Logs.open(config, clock)) {
      for (int i = 0; i < 3_000; i++) {
        log.record(Occurrence.quotaChanged(new Actor.Operator(""), new TenantName("a"), "" + i));
        clock.turn(Duration.ofMillis(100));
      }
      assertThat(Logs.all(log)).hasSize(3_000);
      List<Path> segments = Logs.segments(directory);
      assertThat(segments).hasSizeGreaterThan(5);
      Path late = segments.get(segments.size() - 2);
      spoilTheMiddle(segments.getFirst());
      spoilTheMiddle(late);
      long second = firstSequence(segments.get(1));
      long last = firstSequence(late);
      AuditQuery oldest = AuditQuery.all().paged(Order.OLDEST_FIRST, 10_000);
      assertThat(log.find(oldest).damaged()).hasSize(2);
      assertThat(log.find(oldest.between(timeOf(second), timeOf(last))).damaged()).isEmpty();
      assertThat(log.find(oldest.between(timeOf(second - 1), timeOf(last))).damaged()).hasSize(1);
      assertThat(log.find(oldest.between(timeOf(second), timeOf(last + 1))).damaged()).hasSize(1);
      AuditQuery page = oldest.paged(Order.OLDEST_FIRST, 10);
      assertThat(log.find(page).damaged()).isEmpty();
      assertThat(log.find(page.after(second - 1)).damaged()).isEmpty();
      assertThat(log.find(page.after(second - 2)).damaged()).hasSize(1);
      AuditQuery back = oldest.paged(Order.NEWEST_FIRST, 10);
      assertThat(log.find(back.after(last)).damaged()).isEmpty();
      assertThat(log.find(back.after(last + 1)).damaged()).isEmpty();
      assertThat(log.find(back.paged(Order.NEWEST_FIRST, 10_000)).damaged()).hasSize(2);
    }
  }

  private static long firstSequence(Path segment) {
    return Segment.firstSequence(segment.getFileName().toString()).getAsLong();
  }

  private static Instant timeOf(long sequence) {
    return HandClock.START.plusMillis(100 * (sequence - 1));
  }

  private static void spoilTheMiddle(Path segment) throws Exception {
    byte[] bytes = Files.readAllBytes(segment);
    int at = bytes.length / 2;
    while (bytes[at] != '{') {
      at++;
    }
    bytes[at] = 'x';
    Files.write(segment, bytes);
  }

  @Test
  void refusesPagesWithoutEvents() {
    assertThatThrownBy(() -> AuditQuery.all().paged(Order.OLDEST_FIRST, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit=0");
  }
}
