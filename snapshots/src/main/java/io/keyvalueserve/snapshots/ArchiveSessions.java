package io.keyvalueserve.snapshots;

import java.util.ArrayList;
import java.util.List;

/**
 * The sessions of a tenant's archive of changes, each an object of its own that is written again as
 * the session goes on: {@code <key id>/sessions/<session id>}. Thread-safe.
 */
public final class ArchiveSessions {
  private final Repository repository;
  private final TenantKey key;

  /** Creates the list of a key's sessions. It owns neither the repository nor the key. */
  public ArchiveSessions(Repository repository, TenantKey key) {
    this.repository = repository;
    this.key = key;
  }

  private String folder() {
    return key.id() + "/sessions/";
  }

  /** Writes a session, or replaces it. When the method returns, it is durable. */
  public void write(ArchiveSession session) {
    String name = folder() + session.id();
    repository.write(name, Sealed.seal(key, name, session.encode()));
  }

  /**
   * Returns all sessions.
   *
   * @throws SnapshotException if the repository fails, or if one cannot be read
   */
  public List<ArchiveSession> list() {
    List<ArchiveSession> sessions = new ArrayList<>();
    for (Repository.Item item : repository.list(folder())) {
      byte[] sealed;
      try {
        sealed = repository.read(item.name());
      } catch (SnapshotException e) {
        if (e.kind() == SnapshotException.Kind.MISSING) {
          continue; // it was deleted meanwhile
        }
        throw e;
      }
      sessions.add(ArchiveSession.decode(item.name(), Sealed.open(key, item.name(), sealed)));
    }
    return sessions;
  }

  /** Deletes the sessions that ended before an instant; returns how many. */
  public int deleteBefore(long millis) {
    int deleted = 0;
    for (ArchiveSession session : list()) {
      if (session.coveredMillis() < millis) {
        repository.delete(folder() + session.id());
        deleted++;
      }
    }
    return deleted;
  }
}
