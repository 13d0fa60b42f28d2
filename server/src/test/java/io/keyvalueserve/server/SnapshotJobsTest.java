package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.server.SnapshotJob.Kind;
import io.keyvalueserve.server.SnapshotJob.Result;
import io.keyvalueserve.server.SnapshotJob.State;
import io.keyvalueserve.server.SnapshotJobs.Job;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SnapshotJobsTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final TenantName COPY = new TenantName("copy");
  private static final String PLACE = "file:/backups";
  private static final Result RESULT = new Result(3, 30, 20, 10, 1_000);

  private final AtomicLong now = new AtomicLong(1_000_000);
  private final SnapshotJobs jobs =
      new SnapshotJobs(
          null, new Answerers(), "127.0.0.1:5801", () -> Instant.ofEpochMilli(now.get()));

  @AfterEach
  void close() {
    jobs.close();
  }

  private Job reserve(Kind kind, @Nullable TenantName target) {
    return jobs.reserve(kind, ACME, target, null, PLACE);
  }

  private SnapshotJob ended(Job job) {
    await().until(() -> !job.view().isActive());
    return job.view();
  }

  @Test
  void aJobTellsHowFarItIsAndHowItEnded() {
    Job job = reserve(Kind.CREATE, null);
    assertThat(job.view().state()).isEqualTo(State.WAITING);
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch half = new CountDownLatch(1);
    job.start(
        running -> {
          running.ofEntries(6);
          running.entries(3);
          half.countDown();
          awaitOver(over);
          running.snapshot("s-20300131t120000-abc234");
          return RESULT;
        });
    awaitOver(half);
    assertThat(jobs.get(job.id()))
        .returns(State.RUNNING, SnapshotJob::state)
        .returns(3L, SnapshotJob::entries)
        .returns(6L, SnapshotJob::ofEntries);
    now.addAndGet(500);
    over.countDown();
    SnapshotJob done = ended(job);
    assertThat(done.result()).isEqualTo(RESULT);
    assertThat(done.endedMillis() - done.startedMillis()).isEqualTo(500);
    assertThat(SnapshotJob.decode(SnapshotJob.encode(List.of(done)))).containsExactly(done);
    assertThat(jobs.count(Kind.CREATE, State.DONE)).isEqualTo(1);
    assertThat(jobs.writtenEntries()).isEqualTo(3);
    assertThat(jobs.writtenBytes()).isEqualTo(10);
    assertThat(jobs.successes()).containsEntry(ACME, done.endedMillis());
    jobs.forget(ACME);
    assertThat(jobs.successes()).isEmpty();
  }

  private static void awaitOver(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aFailureIsInWordsAndAnUnknownOneHasAReference() {
    Job known = reserve(Kind.VERIFY, null);
    known.start(
        running -> {
          throw new CatalogueException(CatalogueException.Kind.NO_SUCH_TENANT, "it is gone");
        });
    assertThat(ended(known).problem()).isEqualTo("it is gone");
    Job unknown = reserve(Kind.VERIFY, null);
    unknown.start(
        running -> {
          throw new IllegalStateException("secret of the house");
        });
    assertThat(ended(unknown).problem()).startsWith("internal error").doesNotContain("secret");
    assertThat(jobs.count(Kind.VERIFY, State.FAILED)).isEqualTo(2);
    assertThat(jobs.successes()).isEmpty();
  }

  @Test
  void twoRunAndSixteenWait() {
    CountDownLatch over = new CountDownLatch(1);
    List<Job> all = new ArrayList<>();
    for (int i = 0; i < SnapshotJobs.MOST_RUNNING + SnapshotJobs.MOST_WAITING; i++) {
      Job job = reserve(Kind.CREATE, null);
      job.start(
          running -> {
            awaitOver(over);
            return RESULT;
          });
      all.add(job);
    }
    await()
        .until(
            () ->
                jobs.here().stream().filter(job -> job.state() == State.RUNNING).count()
                    == SnapshotJobs.MOST_RUNNING);
    assertThatThrownBy(() -> reserve(Kind.CREATE, null))
        .isInstanceOfSatisfying(
            SnapshotRefusal.class,
            e -> assertThat(e.kind()).isEqualTo(SnapshotRefusal.Kind.TOO_MANY_JOBS));
    assertThat(jobs.here().stream().filter(job -> job.state() == State.WAITING))
        .hasSize(SnapshotJobs.MOST_WAITING);
    over.countDown();
    all.forEach(job -> assertThat(ended(job).state()).isEqualTo(State.DONE));
    reserve(Kind.CREATE, null).cancel();
    assertThat(jobs.here()).hasSize(all.size());
  }

  @Test
  void jobsAreForgottenAfterADayAndBeyondTwoHundred() {
    Job first = reserve(Kind.CREATE, null);
    first.start(running -> RESULT);
    SnapshotJob _ = ended(first);
    for (int i = 0; i < SnapshotJobs.MOST_REMEMBERED; i++) {
      Job job = reserve(Kind.VERIFY, null);
      job.start(running -> RESULT);
      SnapshotJob _ = ended(job);
    }
    assertThat(jobs.here()).hasSize(SnapshotJobs.MOST_REMEMBERED);
    assertThatThrownBy(() -> jobs.get(first.id())).hasMessageContaining("no member knows job");
    now.addAndGet(Duration.ofDays(1).toMillis() + 1);
    assertThat(jobs.here()).isEmpty();
  }

  @Test
  void theLatestIsTheLastThatWasToCreateASnapshot() {
    Job good = reserve(Kind.CREATE, null);
    good.start(running -> RESULT);
    SnapshotJob _ = ended(good);
    now.incrementAndGet();
    Job bad = reserve(Kind.CLONE, COPY);
    bad.start(
        running -> {
          throw new SnapshotRefusal(SnapshotRefusal.Kind.SNAPSHOT_FAILED, null, "no space");
        });
    SnapshotJob _ = ended(bad);
    now.incrementAndGet();
    Job other = reserve(Kind.VERIFY, null);
    other.start(running -> RESULT);
    SnapshotJob _ = ended(other);
    assertThat(jobs.latest()).extracting(SnapshotJob::id).containsExactly(bad.id());
  }

  @Test
  void whatIsWrittenIsUsedByOneJobAtATime() {
    SnapshotJob create = reserve(Kind.CREATE, null).view();
    SnapshotJob verify = reserve(Kind.VERIFY, null).view();
    SnapshotJob into = reserve(Kind.RESTORE, ACME).view();
    SnapshotJob as = reserve(Kind.RESTORE, COPY).view();
    SnapshotJob copy = reserve(Kind.CLONE, COPY).view();
    assertThat(create.conflictsWith(create)).as("two may read").isFalse();
    assertThat(create.conflictsWith(as)).isFalse();
    assertThat(create.conflictsWith(into)).isTrue();
    assertThat(into.conflictsWith(create)).isTrue();
    assertThat(into.conflictsWith(copy)).isTrue();
    assertThat(as.conflictsWith(copy)).isTrue();
    assertThat(into.conflictsWith(verify)).isFalse();
  }
}
