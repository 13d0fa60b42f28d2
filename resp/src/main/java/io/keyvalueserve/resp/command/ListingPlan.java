package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyMap.ScanPage;
import io.keyvalueserve.engine.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A plan that says which keys of a map to list.
 *
 * @param cursor 0, or what an earlier listing told
 * @param count about how many keys to look at, 1 or more
 * @param match which of them to tell
 * @param tellsCursor whether the reply says where to go on
 * @param type only keys whose values are of this type; null for all
 */
public record ListingPlan(
    long cursor, long count, GlobPattern match, boolean tellsCursor, @Nullable String type) {
  /** Everything that matches, in one reply. */
  static ListingPlan all(GlobPattern match) {
    return new ListingPlan(0, Long.MAX_VALUE, match, false, null);
  }

  /** Asks the engine for some of the keys, from a cursor on. */
  public CompletionStage<ScanPage> page(KeyMap map, long from, int most) {
    CompletionStage<ScanPage> page = map.scan(from, most, match);
    return type == null ? page : page.thenCompose(all -> ofType(map, all, type));
  }

  /** The page without the keys whose values are of another type. */
  private static CompletionStage<ScanPage> ofType(KeyMap map, ScanPage page, String type) {
    if (!KeyCounts.TypeName.exists(type)) {
      return CompletableFuture.completedFuture(new ScanPage(page.cursor(), List.of()));
    }
    List<byte[]> keys = page.keys();
    if (keys.isEmpty()) {
      return CompletableFuture.completedFuture(page);
    }
    CompletableFuture<ScanPage> done = new CompletableFuture<>();
    AtomicInteger missing = new AtomicInteger(keys.size());
    AtomicReferenceArray<@Nullable Outcome> outcomes = new AtomicReferenceArray<>(keys.size());
    List<KeyCommand> probes = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      probes.add(new KeyCommand.Probe(key, false));
    }
    map.submit(
        probes,
        (index, outcome) -> {
          outcomes.set(index, outcome);
          if (missing.decrementAndGet() == 0) {
            List<byte[]> fitting = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
              if (outcomes.get(i) instanceof Outcome.Info info
                  && KeyCounts.TypeName.of(info).equals(type)) {
                fitting.add(keys.get(i));
              }
            }
            done.complete(new ScanPage(page.cursor(), fitting));
          }
        });
    return done;
  }
}
