package io.keyvalueserve.engine;

import java.util.Collection;

/**
 * The room that a tenant has for loaded scripts: 1,000 of them, and 8 MiB.
 *
 * @param count the scripts that it keeps
 * @param bytes the bytes of their sources
 */
public record ScriptRoom(int count, long bytes) {
  /** The most scripts of a tenant. */
  public static final int MOST_SCRIPTS = 1000;

  /** The most bytes of a tenant's sources together. */
  public static final long MOST_BYTES = 8L << 20;

  /** Returns what some sources take. */
  static ScriptRoom of(Collection<byte[]> sources) {
    return new ScriptRoom(
        sources.size(), sources.stream().mapToLong(source -> source.length).sum());
  }

  /**
   * Checks that one more source fits.
   *
   * @throws EngineException if it does not
   */
  public void require(long more) {
    if (count >= MOST_SCRIPTS || bytes + more > MOST_BYTES) {
      throw new EngineException(
          new Outcome.Failure(
              Outcome.Failure.Kind.QUOTA,
              "a tenant may keep "
                  + MOST_SCRIPTS
                  + " loaded scripts of "
                  + MOST_BYTES
                  + " bytes together, and keeps "
                  + count
                  + " of "
                  + bytes
                  + " bytes; SCRIPT FLUSH removes them"));
    }
  }
}
