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

  /** Returns whether a session that was written is still there. */
  public boolean exists(ArchiveSession session) {
    return repository.exists(folder() + session.id());
  }

  /** Writes a session, or replaces it. When the method returns, it is durable. */
  public void write(ArchiveSession session) {
    String name = folder() + session.id();
    repository.write(name, Sealed.seal(key, name, session.encode()));
  }

  /**
   * Returns all sessions that can be read. One that is damaged covers nothing.
   *
   * @throws SnapshotException if the repository fails
   */
  public List<ArchiveSession> list() {
    List<ArchiveSession> sessions = new ArrayList<>();
    for (Repository.Item item : repository.list(folder())) {
      try {
        byte[] sealed = repository.read(item.name());
        sessions.add(ArchiveSession.decode(item.name(), Sealed.open(key, item.name(), sealed)));
      } catch (SnapshotException e) {
        switch (e.kind()) {
          case MISSING, DAMAGED, OTHER_KEY, OTHER_FORMAT -> {} // the first was deleted meanwhile
          default -> throw e;
        }
      }
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
