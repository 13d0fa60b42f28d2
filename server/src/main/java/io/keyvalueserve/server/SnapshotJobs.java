package io.keyvalueserve.server;

import io.keyvalueserve.grid.catalogue.SecretSeal.SealException;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberAnswer;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.snapshot.SnapshotFailure;
import io.keyvalueserve.server.SnapshotJob.Kind;
import io.keyvalueserve.server.SnapshotJob.Result;
import io.keyvalueserve.server.SnapshotJob.State;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.SnapshotException;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.AuditException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of this member, and questions to all members about theirs. A job lives as long as the
 * member that runs it. Thread-safe; asking blocks.
 */
public final class SnapshotJobs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotJobs.class);

  /** The most jobs that run at a time. */
  static final int MOST_RUNNING = 2;

  /** The most jobs that wait for others to end. */
  static final int MOST_WAITING = 16;

  /** The most jobs that are remembered. */
  static final int MOST_REMEMBERED = 200;

  private static final Duration AGE = Duration.ofDays(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long CLOSING_SECONDS = 10;
  private static final int REFERENCE_CHARACTERS = 8;
  private static final String TOPIC = "snapshot-jobs";

  /** The question for the last job of each tenant that created a snapshot, or failed to. */
  private static final String LATEST = "latest";

  private final @Nullable Questioner questioner;
  private final String member;
  private final InstantSource clock;
  private final Map<String, Job> jobs = new LinkedHashMap<>(); // the oldest first; guarded by this
  private final Map<EndOfJob, Long> ends = new HashMap<>(); // guarded by this
  private final Map<TenantName, Long> successes = new ConcurrentHashMap<>();
  private long writtenEntries; // guarded by this
  private long writtenBytes; // guarded by this
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          MOST_RUNNING, Thread.ofPlatform().daemon().name("kvs-snapshot-job-", 0).factory());

  /**
   * Answers other members' questions from now on.
   *
   * @param questioner null if there are no other members
   * @param member the address of this one
   */
  SnapshotJobs(
      @Nullable Questioner questioner, Answerers answerers, String member, InstantSource clock) {
    this.questioner = questioner;
    this.member = member;
    this.clock = clock;
    answerers.add(TOPIC, this::answer);
  }

  /** A way in which a job has ended. */
  record EndOfJob(Kind kind, State state) {}

  /** The work of a job. */
  interface Work {
    /** Does it; what it throws makes the job fail. */
    Result run(Job job);
  }

  /**
   * Jobs of all members.
   *
   * @param jobs the newest first
   * @param silent the addresses of members that gave no answer
   */
  public record All(List<SnapshotJob> jobs, List<String> silent) {
    /** Copies the lists. */
    public All {
      jobs = List.copyOf(jobs);
      silent = List.copyOf(silent);
    }
  }

  /** A job of this member. Its work tells its progress here. */
  final class Job {
    private final String id = "j-" + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    private final Kind kind;
    private final TenantName tenant;
    private final @Nullable TenantName target;
    private final String repository;
    private final long askedMillis = clock.millis();
    private volatile @Nullable String snapshot;
    private volatile long entries;
    private volatile long ofEntries;
    private volatile long chunks;
    private volatile long ofChunks;
    private State state = State.WAITING; // guarded by SnapshotJobs.this, as are those below
    private long startedMillis;
    private long endedMillis;
    private @Nullable Result result;
    private @Nullable String problem;

    private Job(
        Kind kind,
        TenantName tenant,
        @Nullable TenantName target,
        @Nullable String snapshot,
        String repository) {
      this.kind = kind;
      this.tenant = tenant;
      this.target = target;
      this.snapshot = snapshot;
      this.repository = repository;
    }

    String id() {
      return id;
    }

    void entries(long done) {
      entries = done;
    }

    void ofEntries(long count) {
      entries = 0;
      ofEntries = count;
    }

    void chunks(long done, long count) {
      chunks = done;
      ofChunks = count;
    }

    void snapshot(String made) {
      snapshot = made;
    }

    /** Returns the job as it is now. */
    SnapshotJob view() {
      synchronized (SnapshotJobs.this) {
        return new SnapshotJob(
            id,
            kind,
            state,
            tenant.value(),
            target == null ? null : target.value(),
            snapshot,
            repository,
            member,
            entries,
            ofEntries,
            chunks,
            ofChunks,
            askedMillis,
            startedMillis,
            endedMillis,
            result,
            problem);
      }
    }

    /**
     * Has the job done as soon as others before it have ended.
     *
     * @param work on a thread of its own
     */
    void start(Work work) {
      threads.execute(() -> run(work));
    }

    /** Forgets a job that was not started. */
    void cancel() {
      synchronized (SnapshotJobs.this) {
        Job _ = jobs.remove(id);
      }
    }

    private void run(Work work) {
      synchronized (SnapshotJobs.this) {
        state = State.RUNNING;
        startedMillis = clock.millis();
      }
      LOG.info("snapshot job {} begins: {} of tenant {}", id, kind.text(), tenant);
      try {
        Result made = work.run(this);
        end(State.DONE, made, null);
        LOG.info("snapshot job {} is done: entries={}", id, made.entries());
      } catch (RuntimeException | OutOfMemoryError e) {
        String why = inWords(e);
        end(State.FAILED, null, why);
        LOG.warn("snapshot job {} failed: {}", id, why);
      }
    }

    private void end(State how, @Nullable Result made, @Nullable String why) {
      synchronized (SnapshotJobs.this) {
        result = made;
        problem = why;
        state = how;
        endedMillis = clock.millis();
        long _ = ends.merge(new EndOfJob(kind, how), 1L, Long::sum);
        boolean isNew = kind == Kind.CREATE || kind == Kind.CLONE;
        if (isNew && made != null) {
          writtenEntries += made.entries();
          writtenBytes += made.newBytes();
          Long _ = successes.put(tenant, endedMillis);
        }
      }
    }
  }

  /** Returns why something failed, for a person: never a stack trace. */
  static String inWords(Throwable e) {
    if (e instanceof SnapshotException
        || e instanceof SnapshotFailure
        || e instanceof SnapshotRefusal
        || e instanceof CatalogueException
        || e instanceof AuditException
        || e instanceof SealException) {
      return String.valueOf(e.getMessage());
    }
    String reference = UUID.randomUUID().toString().substring(0, REFERENCE_CHARACTERS);
    LOG.error("a snapshot job failed (ref {})", reference, e);
    return "internal error, see the log of the job's member (ref " + reference + ")";
  }

  /**
   * Makes room for a job, which is then to be started or cancelled.
   *
   * @param target the tenant that gets the entries; null if none does
   * @param snapshot null if it has no id yet
   * @throws SnapshotRefusal if too many wait
   */
  synchronized Job reserve(
      Kind kind,
      TenantName tenant,
      @Nullable TenantName target,
      @Nullable String snapshot,
      String repository) {
    long active = jobs.values().stream().filter(job -> job.endedMillis == 0).count();
    if (active >= MOST_RUNNING + MOST_WAITING) {
      throw new SnapshotRefusal(
          SnapshotRefusal.Kind.TOO_MANY_JOBS,
          null,
          MOST_WAITING + " jobs wait at this member: come again when some have ended");
    }
    Job job = new Job(kind, tenant, target, snapshot, repository);
    Job _ = jobs.put(job.id, job);
    forgetOld();
    return job;
  }

  private void forgetOld() {
    long old = clock.millis() - AGE.toMillis();
    boolean _ = jobs.values().removeIf(job -> job.endedMillis != 0 && job.endedMillis < old);
    List<Job> ended = jobs.values().stream().filter(job -> job.endedMillis != 0).toList();
    for (int i = 0; i < jobs.size() - MOST_REMEMBERED && i < ended.size(); i++) {
      Job _ = jobs.remove(ended.get(i).id);
    }
  }

  /** Returns the jobs of this member, the oldest first. */
  synchronized List<SnapshotJob> here() {
    forgetOld();
    return jobs.values().stream().map(Job::view).toList();
  }

  /** Returns the jobs of all members. */
  public All everywhere() {
    return ask("");
  }

  /** Returns the last job of each tenant that has ended and was to create a snapshot. */
  List<SnapshotJob> latest() {
    Map<String, SnapshotJob> latest = new HashMap<>();
    for (SnapshotJob job : ask(LATEST).jobs()) { // the newest first
      SnapshotJob _ = latest.putIfAbsent(job.tenant(), job);
    }
    return List.copyOf(latest.values());
  }

  private All ask(String question) {
    List<SnapshotJob> all = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    if (questioner == null) {
      all.addAll(SnapshotJob.decode(answer(question)));
    } else {
      for (MemberAnswer answer : questioner.ask(TOPIC, question, PATIENCE)) {
        String text = answer.text();
        if (text == null) {
          silent.add(answer.member());
        } else {
          all.addAll(SnapshotJob.decode(text));
        }
      }
    }
    all.sort(
        Comparator.comparingLong(SnapshotJob::askedMillis)
            .thenComparing(SnapshotJob::id)
            .reversed());
    return new All(all, silent);
  }

  private String answer(String question) {
    List<SnapshotJob> all = here();
    if (!question.equals(LATEST)) {
      return SnapshotJob.encode(all);
    }
    Map<String, SnapshotJob> latest = new HashMap<>();
    for (SnapshotJob job : all) {
      boolean isNew = job.kind() == Kind.CREATE || job.kind() == Kind.CLONE;
      if (isNew && !job.isActive()) {
        SnapshotJob _ = latest.put(job.tenant(), job);
      }
    }
    return SnapshotJob.encode(List.copyOf(latest.values()));
  }

  /**
   * Returns a job, whichever member runs it.
   *
   * @throws SnapshotRefusal if no member knows it
   */
  public SnapshotJob get(String id) {
    Job own;
    synchronized (this) {
      own = jobs.get(id);
    }
    if (own != null) {
      return own.view();
    }
    All all = everywhere();
    return all.jobs().stream()
        .filter(job -> job.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new SnapshotRefusal(
                    SnapshotRefusal.Kind.NO_SUCH_JOB,
                    "job",
                    "no member knows job '"
                        + id
                        + "'"
                        + (all.silent().isEmpty()
                            ? ": a job is gone with its member, and is forgotten after a day; 'kvs"
                                + " snapshot jobs' lists those that there are"
                            : ", and there was no answer from " + all.silent() + ": try again")));
  }

  /** Returns how many jobs of this member have ended in which way, since it started. */
  public synchronized long count(Kind kind, State state) {
    return ends.getOrDefault(new EndOfJob(kind, state), 0L);
  }

  /** Returns how many entries are in the snapshots that this member has created. */
  public synchronized long writtenEntries() {
    return writtenEntries;
  }

  /** Returns how many bytes this member's snapshots have added to repositories. */
  public synchronized long writtenBytes() {
    return writtenBytes;
  }

  /** Counts a snapshot that was created by a plan, without a job. */
  synchronized void createdByPlan(TenantName tenant, Manifest snapshot) {
    writtenEntries += snapshot.totals().entries();
    writtenBytes += snapshot.totals().newBytes();
    Long _ = successes.put(tenant, snapshot.finishedMillis());
  }

  /** Returns when this member has last created a snapshot of each tenant. */
  public Map<TenantName, Long> successes() {
    return Map.copyOf(successes);
  }

  /** Forgets a tenant that was deleted. */
  void forget(TenantName tenant) {
    Long _ = successes.remove(tenant);
  }

  /** Gives up the jobs that run, and forgets those that wait. */
  @Override
  public void close() {
    var _ = threads.shutdownNow();
    try {
      if (!threads.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("a snapshot job does not end; it is left alone");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
