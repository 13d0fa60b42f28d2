package io.keyvalueserve.server;

import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.audit.AuditConfig;
import io.keyvalueserve.tenancy.audit.AuditException;
import io.keyvalueserve.tenancy.audit.AuditLog;
import io.keyvalueserve.tenancy.audit.Occurrence;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two audit trails of this member: what was changed, and who came and was turned away. They are
 * apart so that whoever knocks at the doors, however often, drives no change out of its trail.
 *
 * <p>Thread-safe. Begins with {@link #open}; what doors tell before that is not kept, as they let
 * nobody in.
 */
public final class AuditTrails implements AccessAudit, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditTrails.class);
  private static final long SEGMENT_BYTES = 16L << 20;
  private static final long MOST_BYTES_OF_CHANGES = 1L << 30;
  private static final Duration AGE_OF_CHANGES = Duration.ofDays(3_650);

  private final @Nullable Path directory;
  private volatile @Nullable Opened opened;

  private record Opened(AuditLog changes, AuditLog access) {}

  /** The trails, as people call them. */
  public enum Trail {
    CHANGES,
    ACCESS
  }

  /**
   * @param directory where the member keeps them; null for in memory
   */
  AuditTrails(@Nullable Path directory) {
    this.directory = directory;
  }

  /**
   * Begins.
   *
   * @param member this member's id
   * @throws StartException if the files cannot be used
   */
  void open(UUID member) {
    try {
      AuditLog changes = open(member, "changes");
      try {
        opened = new Opened(changes, open(member, "access"));
      } catch (AuditException e) {
        changes.close();
        throw e;
      }
    } catch (AuditException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  private AuditLog open(UUID member, String name) {
    AuditConfig config =
        directory == null ? AuditConfig.inMemory() : AuditConfig.in(directory.resolve(name));
    if (name.equals("changes")) {
      config = config.keeping(SEGMENT_BYTES, MOST_BYTES_OF_CHANGES, AGE_OF_CHANGES);
    }
    return AuditLog.open(config, member, InstantSource.system(), LOG::warn);
  }

  /**
   * Returns one of the trails.
   *
   * @throws AuditException if they have not begun
   */
  AuditLog of(Trail trail) {
    Opened both = opened;
    if (both == null) {
      throw new AuditException("the member is starting and has no audit trail yet", null);
    }
    return trail == Trail.CHANGES ? both.changes() : both.access();
  }

  /**
   * Keeps what somebody has changed; returns when it is on the disk, if there is one.
   *
   * @throws AuditException if it is not certain to be there
   */
  void changed(Occurrence occurrence) {
    var _ = of(Trail.CHANGES).recordDurably(occurrence);
  }

  @Override
  public void loginAccepted(Identity identity, Door door, SocketAddress from) {
    accessed(Occurrence.loginAccepted(identity, door, Actor.address(from)));
  }

  @Override
  public void loginRefused(String shown, Door door, SocketAddress from) {
    accessed(Occurrence.loginRefused(Actor.client(from), door, shown));
  }

  @Override
  public void requestRefused(Identity identity, Door door, String object, String reason) {
    TenantName owner = QualifiedName.parse(object).map(QualifiedName::tenant).orElse(null);
    accessed(
        Occurrence.requestRefused(Actor.of(identity), owner, object, door.label() + ": " + reason));
  }

  @Override
  public void unlockForced(Identity identity, Door door, String object) {
    Opened both = opened;
    if (both != null) {
      int end = object.indexOf(' ');
      String map = end < 0 ? object : object.substring(0, end);
      QualifiedName.parse(map)
          .ifPresent(
              name ->
                  both.changes()
                      .record(
                          Occurrence.unlockForced(
                              Actor.of(identity), name.tenant(), object, door.label())));
    }
  }

  private void accessed(Occurrence occurrence) {
    Opened both = opened;
    if (both != null) {
      both.access().record(occurrence);
    }
  }

  @Override
  public void close() {
    Opened both = opened;
    if (both != null) {
      both.access().close();
      both.changes().close();
    }
  }
}
