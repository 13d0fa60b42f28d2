package io.keyvalueserve.engine.collection;

import io.keyvalueserve.engine.Current;
import io.keyvalueserve.engine.EntryPages;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Transition;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry that has a collection or is absent, with its pages. After each command the pages are
 * those that the head needs, and no others.
 */
final class CollectionEntry implements Current {
  private final boolean hasPages;
  private @Nullable CollectionValue value;
  private Map<Long, byte[]> pages = Map.of();
  private long expireAtMillis;

  /**
   * @param hasPages whether large collections have pages
   */
  CollectionEntry(boolean hasPages) {
    this.hasPages = hasPages;
  }

  Outcome run(CollectionOperation operation, Arguments arguments, long nowMillis) {
    return run(
        new KeyCommand.OnCollection(
            new byte[0], operation, arguments, KeyCommand.MOST_COLLECTION_BYTES),
        nowMillis);
  }

  Outcome run(KeyCommand command, long nowMillis) {
    Transition transition = command.apply(this, nowMillis);
    switch (transition.effect()) {
      case NOTHING, ACCESS -> {}
      case SET_EXPIRY -> expireAtMillis = transition.expireAtMillis();
      case REMOVE -> {
        value = null;
        pages = Map.of();
        expireAtMillis = Expiry.NONE;
      }
      case PUT -> {
        CollectionValue next = Objects.requireNonNull(transition.collection());
        pages = EntryPages.changed(pages, next, transition.pages());
        value = next;
        expireAtMillis = transition.expireAtMillis();
      }
    }
    return transition.outcome();
  }

  /** Puts a damaged collection in place. */
  void put(CollectionValue damaged, Map<Long, byte[]> damagedPages) {
    value = damaged;
    pages = damagedPages;
  }

  boolean isPaged() {
    return value != null && value.isPaged();
  }

  Map<Long, byte[]> stored() {
    return pages;
  }

  @Override
  public boolean exists() {
    return value != null;
  }

  @Override
  public byte @Nullable [] bytes() {
    return null;
  }

  @Override
  public @Nullable CollectionValue collection() {
    return value;
  }

  @Override
  public @Nullable PageSource pages() {
    return hasPages ? EntryPages.source(pages) : null;
  }

  @Override
  public int length() {
    return -1;
  }

  @Override
  public long expireAtMillis() {
    return expireAtMillis;
  }

  @Override
  public long storedBytes() {
    return value == null ? 0 : value.length();
  }
}
