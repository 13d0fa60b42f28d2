package io.keyvalueserve.grid.link;

import org.jspecify.annotations.Nullable;

/**
 * A request that travels to another member with others, in one message. Owned by whoever calls, one
 * thread at a time.
 *
 * @param <A> what comes back for it
 */
public interface Passenger<A> {
  /** About how many bytes of the message it makes, 0 or more. */
  long bytes();

  /** There is too little company, so it is to go by itself. */
  void sendAlone();

  /** Called with the answer to this passenger. */
  void answeredTogether(A answer);

  /** The message failed. Nobody knows whether it was carried out, unless the failure says so. */
  void failedTogether(@Nullable Throwable failure);
}
