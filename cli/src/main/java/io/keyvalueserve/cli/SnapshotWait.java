package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.cli.KvsCommand.Failure;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The wait of a command for the end of a job on a snapshot. */
final class SnapshotWait {
  private static final long POLL_MILLIS = 300;

  @Option(names = "--no-wait", description = "Begin it, and print the id of its job.")
  private boolean noWait;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Returns the path of a job. */
  static String path(String job) {
    return "/api/v1/snapshot-jobs/" + AdminClient.part(job);
  }

  /**
   * Waits until a job has ended, and says on standard error how far it is.
   *
   * @return the job as it is in the end, or as it was begun with {@code --no-wait}
   * @throws Failure if it has failed
   */
  JsonNode until(JsonNode started, AdminClient client) {
    JsonNode job = started;
    String id = job.path("id").asText();
    try (Progress progress = new Progress(spec)) {
      while (!noWait && !isOver(job)) {
        progress.note(job.path("kind").asText() + " " + id + ": " + progress(job));
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        job = client.get(path(id));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("job " + id + " goes on: see 'kvs snapshot jobs " + id + "'");
    } catch (Failure e) {
      throw new Failure(
          e.getMessage() + "; job " + id + " may go on: see 'kvs snapshot jobs " + id + "'");
    }
    if (job.path("state").asText().equals("failed")) {
      throw new Failure(job.path("problem").asText());
    }
    return job;
  }

  /** Returns whether a job has ended. */
  boolean isOver(JsonNode job) {
    String state = job.path("state").asText();
    return !state.equals("waiting") && !state.equals("running");
  }

  /** Returns what to say of a job that goes on. */
  String begun(JsonNode job) {
    String id = job.path("id").asText();
    return "job " + id + " is begun: see 'kvs snapshot jobs " + id + "'";
  }

  /** Returns how far a job is. */
  static String progress(JsonNode job) {
    JsonNode progress = job.path("progress");
    if (job.path("state").asText().equals("waiting")) {
      return "waits for other jobs";
    }
    String chunks = counted(progress, "chunks", "ofChunks");
    String entries = counted(progress, "entries", "ofEntries");
    boolean hasEntries = progress.path("entries").asLong() > 0;
    return progress.path("ofChunks").asLong() == 0 || hasEntries
        ? entries + " entries"
        : chunks + " chunks are checked";
  }

  private static String counted(JsonNode progress, String done, String of) {
    long total = progress.path(of).asLong();
    return progress.path(done).asText() + (total == 0 ? "" : " of " + total);
  }
}
