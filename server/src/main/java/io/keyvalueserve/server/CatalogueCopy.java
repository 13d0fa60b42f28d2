package io.keyvalueserve.server;

import io.keyvalueserve.tenancy.CatalogueFile;
import io.keyvalueserve.tenancy.CatalogueStore;
import io.keyvalueserve.tenancy.Tenant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this member's {@link CatalogueFile} up with the catalogue. A change only marks the copy as
 * behind; one thread writes, as many changes as have come in at once. Whoever has to know that a
 * change is on the disk waits in {@link #awaitWritten}.
 */
final class CatalogueCopy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogueCopy.class);

  private final CatalogueFile file;
  private final Map<String, Tenant> records = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition progress = lock.newCondition();
  private final Thread writer;
  private long changed;
  private long written;
  private @Nullable RuntimeException failure;
  private boolean closing;

  CatalogueCopy(CatalogueFile file) {
    this.file = file;
    this.writer = Thread.ofPlatform().name("kvs-catalogue-copy").daemon().unstarted(this::write);
  }

  /** Follows the catalogue from now on. */
  void follow(CatalogueStore store) {
    store.subscribe(this::take);
    writer.start();
  }

  private void take(Tenant tenant) {
    Tenant kept =
        records.merge(
            tenant.name().value(),
            tenant,
            (known, told) -> told.revision() > known.revision() ? told : known);
    if (!kept.equals(tenant)) {
      return;
    }
    lock.lock();
    try {
      changed++;
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns when every change that was taken in before is on the disk.
   *
   * @throws RuntimeException if it could not be written
   */
  void awaitWritten() throws InterruptedException {
    lock.lock();
    try {
      long wanted = changed;
      while (written < wanted && failure == null && writer.isAlive()) {
        progress.await();
      }
      if (written < wanted) {
        throw failure == null
            ? new IllegalStateException("the catalogue's copy is closed")
            : failure;
      }
    } finally {
      lock.unlock();
    }
  }

  private void write() {
    while (true) {
      long goal;
      lock.lock();
      try {
        while (written == changed && !closing) {
          progress.awaitUninterruptibly();
        }
        if (written == changed) {
          return;
        }
        goal = changed;
      } finally {
        lock.unlock();
      }
      RuntimeException failed = null;
      try {
        file.save(records.values(), Map.of());
      } catch (RuntimeException e) {
        LOG.error("{}", e.getMessage());
        failed = e;
      }
      lock.lock();
      try {
        failure = failed;
        if (failed == null) {
          written = goal;
        } else if (closing) {
          return;
        } else {
          awaitNextChange(goal);
        }
        progress.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * After a failure: whoever waits is told, and the next change tries again. Called with the lock.
   */
  private void awaitNextChange(long goal) {
    progress.signalAll();
    while (changed == goal && !closing) {
      progress.awaitUninterruptibly();
    }
  }

  /** Writes what is left and frees the directory. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      progress.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    file.close();
  }
}
