package io.keyvalueserve.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A long action on a snapshot, as it is at one moment. Times are in milliseconds since 1970, and 0
 * if they have not come.
 *
 * @param tenant the tenant that the snapshot is of
 * @param target the tenant that gets the entries; null if none does
 * @param snapshot the snapshot's id; null until it has one
 * @param member the address of the member that runs the job
 * @param entries how many were read, or put back
 * @param ofEntries how many there are; 0 if that is not known
 * @param chunks how many were checked
 * @param ofChunks how many there are; 0 if none are checked
 * @param askedMillis when somebody asked for it
 * @param startedMillis when it began; it may have waited before
 * @param result null until the job is done
 * @param problem why the job has failed; null if it has not
 */
public record SnapshotJob(
    String id,
    Kind kind,
    State state,
    String tenant,
    @Nullable String target,
    @Nullable String snapshot,
    String repository,
    String member,
    long entries,
    long ofEntries,
    long chunks,
    long ofChunks,
    long askedMillis,
    long startedMillis,
    long endedMillis,
    @Nullable Result result,
    @Nullable String problem) {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private static final TypeReference<List<SnapshotJob>> LIST = new TypeReference<>() {};

  /** The kinds of jobs. */
  public enum Kind {
    /** Creates a snapshot. */
    CREATE,
    /** Reads all of a snapshot, and says whether it is whole. */
    VERIFY,
    /** Puts a snapshot back. */
    RESTORE,
    /** Creates a snapshot, and puts it back as a new tenant. */
    CLONE;

    /** Returns the name that answers use. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The states of a job, in their order. */
  public enum State {
    /** Other jobs are before it. */
    WAITING,
    /** It is being done. */
    RUNNING,
    /** It is done. */
    DONE,
    /** It was not done. */
    FAILED;

    /** Returns the name that answers use. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The result of a job.
   *
   * @param entries in the snapshot, or put back
   * @param rawBytes the bytes of keys and values
   * @param storedBytes the bytes that the snapshot has in its repository
   * @param newBytes those of them that the repository did not have before
   * @param cutMillis the instant of the snapshot
   */
  public record Result(
      long entries, long rawBytes, long storedBytes, long newBytes, long cutMillis) {}

  /** Returns whether it has not ended. */
  public boolean isActive() {
    return state == State.WAITING || state == State.RUNNING;
  }

  /** Returns whether two active jobs must not run at the same time: one writes what both use. */
  boolean conflictsWith(SnapshotJob other) {
    return uses(other.target) || other.uses(target);
  }

  /** Returns whether it reads or writes the entries of a tenant. */
  boolean uses(@Nullable String name) {
    boolean readsTenant = kind == Kind.CREATE || kind == Kind.CLONE;
    return name != null && (name.equals(target) || (readsTenant && name.equals(tenant)));
  }

  static String encode(List<SnapshotJob> jobs) {
    try {
      return JSON.writeValueAsString(jobs);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record of texts and numbers has a form in JSON", e);
    }
  }

  /**
   * @throws IllegalArgumentException if these are no jobs
   */
  static List<SnapshotJob> decode(String text) {
    try {
      return JSON.readValue(text, LIST);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no jobs: " + e.getOriginalMessage(), e);
    }
  }
}
