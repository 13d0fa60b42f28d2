package io.keyvalueserve.engine;

import io.keyvalueserve.engine.KeyMap.ScanPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One page of a scan that tells only keys that may be told. It looks at as many pages of the map as
 * it takes to find so many keys, or to come to the end, and keeps no more than its own page and one
 * of these.
 *
 * <p>The cursor is the place behind the last key that was told, or 0 if there are fewer than asked
 * for: it follows from those keys alone, and so tells nothing of where others lie, nor whether
 * there are any. That is why a page ends behind a key and not where one of the map ended.
 *
 * <p>The map's pages come one after the other, so that one thread at a time has it; many that are
 * there at once need no deep stack.
 */
final class GrantedScan {
  /** A page has no more keys, but for those of equal place, whatever was asked for. */
  static final int MOST_KEYS = 512;

  /** The bytes of keys in a page of the map above which the next pages are smaller. */
  private static final long MANY_BYTES = 256 * 1024;

  private final KeyMap map;
  private final int count;
  private final GlobPattern match;
  private final Predicate<byte[]> mayTell;
  private final List<byte[]> keys = new ArrayList<>();
  private final CompletableFuture<ScanPage> done = new CompletableFuture<>();

  /** The number of keys that the map is asked to look at: more, the longer nothing comes of it. */
  private int looking;

  /**
   * @param count how many keys to tell, 1 or more
   */
  GrantedScan(KeyMap map, int count, GlobPattern match, Predicate<byte[]> mayTell) {
    this.map = map;
    this.count = Math.clamp(count, 1, MOST_KEYS);
    this.match = match;
    this.mayTell = mayTell;
    this.looking = this.count;
  }

  CompletionStage<ScanPage> from(long cursor) {
    go(cursor);
    return done;
  }

  private void go(long from) {
    long cursor = from;
    do {
      CompletableFuture<ScanPage> page = map.scan(cursor, looking, match).toCompletableFuture();
      if (!page.isDone() || page.isCompletedExceptionally()) {
        var _ = page.whenComplete(this::goOn);
        return;
      }
      cursor = take(page.join());
    } while (cursor != 0);
  }

  private void goOn(@Nullable ScanPage page, @Nullable Throwable failure) {
    if (page == null) {
      done.completeExceptionally(
          failure == null ? new IllegalStateException("a scan without a page") : failure);
      return;
    }
    try {
      long cursor = take(page);
      if (cursor != 0) {
        go(cursor);
      }
    } catch (RuntimeException e) {
      done.completeExceptionally(e); // nobody else would hear of it
    }
  }

  /** Takes a page of the map; returns where to go on, 0 if that is not needed. */
  private long take(ScanPage page) {
    long bytes = 0;
    for (byte[] key : page.keys()) {
      bytes += key.length;
      if (mayTell.test(key)) {
        keys.add(key);
      }
    }
    if (keys.size() >= count) {
      done.complete(firstOfAll());
      return 0;
    }
    if (page.cursor() == 0) {
      done.complete(new ScanPage(0, keys));
    }
    looking = bytes > MANY_BYTES ? Math.max(1, looking / 4) : Math.min(2 * looking, MOST_KEYS);
    return page.cursor();
  }

  /** The first so many keys, and those that have the place of the last one. */
  private ScanPage firstOfAll() {
    Placed[] inOrder = new Placed[keys.size()];
    for (int i = 0; i < inOrder.length; i++) {
      byte[] key = keys.get(i);
      inOrder[i] = new Placed(map.placeOf(key), key);
    }
    Arrays.sort(inOrder);
    long last = inOrder[count - 1].place();
    List<byte[]> first = new ArrayList<>(count);
    for (int i = 0; i < inOrder.length && inOrder[i].place() <= last; i++) {
      first.add(inOrder[i].key());
    }
    return new ScanPage(last + 1, first);
  }

  private record Placed(long place, byte[] key) implements Comparable<Placed> {
    @Override
    public int compareTo(Placed other) {
      return Long.compare(place, other.place);
    }
  }
}
