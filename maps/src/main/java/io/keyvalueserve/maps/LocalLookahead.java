package io.keyvalueserve.maps;

import io.keyvalueserve.memory.Epochs;
import io.keyvalueserve.store.Lookahead;
import org.jspecify.annotations.Nullable;

/**
 * Brings entries on this member near that are about to be asked for, see {@link Lookahead}. Says
 * nothing of them, so nothing is checked but that they are readable.
 *
 * <p>One for each thread. {@link #end} has to follow.
 */
public final class LocalLookahead {
  private static final ThreadLocal<LocalLookahead> OF_THREAD =
      ThreadLocal.withInitial(LocalLookahead::new);

  private final Lookahead lookahead = new Lookahead();
  private @Nullable LocalStores stores;
  private @Nullable Epochs epochs;
  private int guard;

  private LocalLookahead() {}

  static LocalLookahead begin(LocalStores stores, Epochs epochs) {
    LocalLookahead own = OF_THREAD.get();
    try {
      own.guard = epochs.enter();
      own.stores = stores;
      own.epochs = epochs;
    } catch (IllegalStateException e) {
      // The member is down: those who ask for the entries are told so, one by one.
    }
    return own;
  }

  /**
   * Adds a plain key.
   *
   * @param isString whether it is a string in UTF-8, else it is a byte array
   */
  public void add(int partition, byte[] bytes, int offset, int length, boolean isString) {
    LocalStores of = stores;
    if (of == null) {
      return;
    }
    NativeRecordStore store = of.find(partition);
    if (store != null) {
      if (lookahead.isFull()) {
        lookahead.fetch();
      }
      int form = isString ? DataForm.STRING : DataForm.BYTES;
      store.entries().anticipate(lookahead, bytes, offset, length, form);
    }
  }

  /** Fetches what has been added. */
  public void end() {
    Epochs open = epochs;
    epochs = null;
    stores = null;
    if (open != null) {
      try {
        lookahead.fetch();
      } finally {
        open.exit(guard);
      }
    }
  }
}
