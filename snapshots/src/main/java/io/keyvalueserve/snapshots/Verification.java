package io.keyvalueserve.snapshots;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A check of a whole snapshot: every chunk is read, decrypted and counted. */
public final class Verification {
  private Verification() {}

  /** The listener to the progress of a verification. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Hears of a chunk that was checked.
     *
     * @param chunks how many are done
     * @param ofChunks how many there are
     * @param bytes the sizes of the contents that are done
     */
    void progress(long chunks, long ofChunks, long bytes);
  }

  /** The kinds of problems. */
  public enum Fault {
    /** The repository does not have the chunk. */
    MISSING,
    /** The chunk is not what was written, or cannot be read with the key. */
    DAMAGED,
    /** The chunk has another number of entries than the manifest says. */
    WRONG_COUNT
  }

  /**
   * A problem of a snapshot.
   *
   * @param map the map that has lost entries
   * @param chunk the name of the chunk
   * @param detail a sentence for a person
   */
  public record Problem(
      Fault fault, String map, String chunk, int fromPartition, int toPartition, String detail) {}

  /**
   * Verifies a snapshot. Chunks that several parts share are read once.
   *
   * @return the problems; empty if the snapshot is whole
   * @throws SnapshotException only if the repository itself fails
   */
  public static List<Problem> verify(Manifest manifest, ChunkStore chunks, Listener listener) {
    List<Problem> problems = new ArrayList<>();
    Map<String, Result> results = new HashMap<>();
    long ofChunks = 0;
    for (Manifest.MapPart map : manifest.maps()) {
      ofChunks += map.chunks().size();
    }
    long done = 0;
    long bytes = 0;
    for (Manifest.MapPart map : manifest.maps()) {
      for (Manifest.Chunk chunk : map.chunks()) {
        Result result = results.computeIfAbsent(chunk.name(), name -> check(chunks, name));
        Problem problem = problem(map.map(), chunk, result);
        if (problem != null) {
          problems.add(problem);
        }
        done++;
        bytes += chunk.bytes();
        listener.progress(done, ofChunks, bytes);
      }
    }
    return problems;
  }

  private record Result(int entries, @Nullable Fault fault, String detail) {}

  private static Result check(ChunkStore chunks, String name) {
    try {
      return new Result(chunks.read(name).size(), null, "");
    } catch (SnapshotException e) {
      String detail = String.valueOf(e.getMessage());
      return switch (e.kind()) {
        case UNAVAILABLE, NO_REPOSITORY, FULL -> throw e;
        case MISSING -> new Result(0, Fault.MISSING, detail);
        default -> new Result(0, Fault.DAMAGED, detail);
      };
    }
  }

  private static @Nullable Problem problem(String map, Manifest.Chunk chunk, Result result) {
    Fault fault = result.fault();
    String detail = result.detail();
    if (fault == null && result.entries() != chunk.entries()) {
      fault = Fault.WRONG_COUNT;
      detail = "the chunk has " + result.entries() + " entries instead of " + chunk.entries();
    }
    return fault == null
        ? null
        : new Problem(fault, map, chunk.name(), chunk.fromPartition(), chunk.toPartition(), detail);
  }
}
