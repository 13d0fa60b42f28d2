package io.keyvalueserve.engine;

import io.keyvalueserve.engine.KeyMap.ScanPage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A scan from beginning to end that keeps those keys that may be told. Its pages come one after the
 * other, so that one thread at a time has it; many that are there at once need no deep stack.
 */
final class GrantedScan {
  private static final int KEYS_PER_PAGE = 1_000;

  private final KeyMap map;
  private final GlobPattern match;
  private final Predicate<byte[]> mayTell;
  private final List<byte[]> keys = new ArrayList<>();
  private final CompletableFuture<ScanPage> done = new CompletableFuture<>();

  GrantedScan(KeyMap map, GlobPattern match, Predicate<byte[]> mayTell) {
    this.map = map;
    this.match = match;
    this.mayTell = mayTell;
  }

  CompletionStage<ScanPage> start() {
    go(0);
    return done;
  }

  private void go(long from) {
    long cursor = from;
    do {
      CompletableFuture<ScanPage> page =
          map.scan(cursor, KEYS_PER_PAGE, match).toCompletableFuture();
      if (!page.isDone() || page.isCompletedExceptionally()) {
        var _ = page.whenComplete(this::goOn);
        return;
      }
      cursor = take(page.join());
    } while (cursor != 0);
    done.complete(new ScanPage(0, keys));
  }

  private void goOn(@Nullable ScanPage page, @Nullable Throwable failure) {
    if (page == null) {
      done.completeExceptionally(
          failure == null ? new IllegalStateException("a scan without a page") : failure);
      return;
    }
    long cursor = take(page);
    if (cursor == 0) {
      done.complete(new ScanPage(0, keys));
    } else {
      go(cursor);
    }
  }

  private long take(ScanPage page) {
    for (byte[] key : page.keys()) {
      if (mayTell.test(key)) {
        keys.add(key);
      }
    }
    return page.cursor();
  }
}
