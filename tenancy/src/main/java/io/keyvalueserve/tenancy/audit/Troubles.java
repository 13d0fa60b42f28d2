package io.keyvalueserve.tenancy.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells people what is wrong with the trail, at most once a minute. Thread-safe. */
final class Troubles {
  private static final Duration QUIET = Duration.ofMinutes(1);

  private final Consumer<String> listener;
  private final InstantSource clock;
  private @Nullable Instant told;
  private long untold;

  Troubles(Consumer<String> listener, InstantSource clock) {
    this.listener = listener;
    this.clock = clock;
  }

  /** Tells it, unless something was told within the last minute; then it is counted. */
  synchronized void tell(String text) {
    Instant now = clock.instant();
    if (told != null && !now.isBefore(told) && now.isBefore(told.plus(QUIET))) {
      untold++;
      return;
    }
    told = now;
    tellNow(untold == 0 ? text : text + " (and " + untold + " more since the last line like this)");
    untold = 0;
  }

  /** Tells it whatever was told before: for what happens seldom. */
  void tellNow(String text) {
    try {
      listener.accept("audit: " + text);
    } catch (RuntimeException e) {
      // the trail goes on, whatever its listener makes of it
    }
  }
}
