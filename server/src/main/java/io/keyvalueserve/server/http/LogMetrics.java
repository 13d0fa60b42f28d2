package io.keyvalueserve.server.http;

import io.keyvalueserve.grid.restart.LoadProgress;
import io.keyvalueserve.grid.restart.LogFigures;
import io.keyvalueserve.journal.ScrubFigures;
import io.keyvalueserve.server.Administration;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The health of what this member keeps: its log and disk, backups, and how far it has loaded its
 * data. A member without {@code --data} has no figures of a log. Not thread-safe.
 */
final class LogMetrics {
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final String LOADING = "kvs.loading.records";

  private final AtomicReference<Figures> latest;

  private record Figures(boolean safe, @Nullable LogFigures log, @Nullable LoadProgress loading) {}

  LogMetrics(MeterRegistry registry, Administration administration) {
    latest = new AtomicReference<>(of(administration));
    Gauge.builder("kvs.backups.safe", latest, now -> now.get().safe() ? 1 : 0)
        .description("1 while every partition has all its backups, and they are up to date, else 0")
        .register(registry);
    Gauge.builder("kvs.loading", latest, now -> isLoading(now.get().loading()) ? 1 : 0)
        .description("1 while this member loads data from its disk, else 0")
        .register(registry);
    Gauge.builder(LOADING, latest, now -> records(now.get(), LoadProgress::records))
        .description("Records that this member has loaded from its disk")
        .register(registry);
    Gauge.builder(
            LOADING + ".expected", latest, now -> records(now.get(), LoadProgress::totalRecords))
        .description("Records that this member had on its disk when it started")
        .register(registry);
    if (latest.get().log() != null) {
      registerLog(registry);
    }
  }

  private void registerLog(MeterRegistry registry) {
    Gauge.builder("kvs.log.disk.full", latest, now -> log(now.get(), log -> log.diskFull() ? 1 : 0))
        .description("1 while writes are refused as the disk of the log is full, else 0")
        .register(registry);
    Gauge.builder("kvs.log.failed", latest, now -> log(now.get(), log -> log.failed() ? 1 : 0))
        .description("1 when the disk has refused a write: start the member again on a good one")
        .register(registry);
    Gauge.builder(
            "kvs.log.files", latest, now -> log(now.get(), log -> log.statistics().fileBytes()))
        .description("Bytes of the log's files")
        .baseUnit("bytes")
        .register(registry);
    Gauge.builder(
            "kvs.log.live", latest, now -> log(now.get(), log -> log.statistics().liveBytes()))
        .description("Bytes of these that have to be kept")
        .baseUnit("bytes")
        .register(registry);
    FunctionCounter.builder(
            "kvs.log.appended",
            latest,
            now -> log(now.get(), log -> log.statistics().appendedBytes()))
        .description("Bytes appended to the log, by writers and by compaction")
        .baseUnit("bytes")
        .register(registry);
    FunctionCounter.builder(
            "kvs.log.syncs", latest, now -> log(now.get(), log -> log.statistics().syncs()))
        .description("How often the log was made certain")
        .register(registry);
    registerScrub(registry);
  }

  private void registerScrub(MeterRegistry registry) {
    scrubbed("read", ScrubFigures::bytesRead)
        .description("Bytes of the log that were read to find damage")
        .baseUnit("bytes")
        .register(registry);
    scrubbed("damaged", ScrubFigures::damaged)
        .description("Damaged places that were found in the log while the member ran")
        .register(registry);
    scrubbed("repaired.records", ScrubFigures::renewed)
        .description("Records that were written to the log anew because of these")
        .register(registry);
    scrubbed("lost.records", ScrubFigures::lost)
        .description("Records of these that neither this member nor another copy had")
        .register(registry);
    scrubbed("passes", ScrubFigures::passes)
        .description("How often the whole log was read to find damage")
        .register(registry);
    Gauge.builder(
            "kvs.restart.scrub.last.pass",
            latest,
            now -> log(now.get(), log -> log.scrub().lastPassMillis() / MILLIS_PER_SECOND))
        .description("When the whole log was last read, in seconds since 1970; 0 for not yet")
        .baseUnit("seconds")
        .register(registry);
    Gauge.builder(
            "kvs.restart.scrub.damaged.files",
            latest,
            now -> log(now.get(), log -> log.scrub().open()))
        .description("Damaged files of the log that are being repaired")
        .register(registry);
  }

  private FunctionCounter.Builder<AtomicReference<Figures>> scrubbed(
      String name, ToDoubleFunction<ScrubFigures> figure) {
    return FunctionCounter.builder(
        "kvs.restart.scrub." + name,
        latest,
        now -> log(now.get(), log -> figure.applyAsDouble(log.scrub())));
  }

  /** Takes the figures for the next scrape. */
  void update(Administration administration) {
    latest.set(of(administration));
  }

  private static Figures of(Administration administration) {
    return new Figures(
        administration.safety().safe(), administration.logFigures(), administration.loadProgress());
  }

  private static boolean isLoading(@Nullable LoadProgress progress) {
    return progress != null && !progress.done();
  }

  private static double log(Figures figures, ToDoubleFunction<LogFigures> figure) {
    LogFigures log = figures.log();
    return log == null ? 0 : figure.applyAsDouble(log);
  }

  private static double records(Figures figures, ToDoubleFunction<LoadProgress> figure) {
    LoadProgress progress = figures.loading();
    return progress == null ? 0 : figure.applyAsDouble(progress);
  }
}
