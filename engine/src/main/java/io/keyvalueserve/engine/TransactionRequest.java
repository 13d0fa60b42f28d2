package io.keyvalueserve.engine;

import java.util.List;

/**
 * A transaction.
 *
 * @param keys the keys that the body is known to need; it may ask for others
 * @param watches keys that must be as they were; else nothing is done
 * @param body what it does
 * @param origin what it is for, as those are told who ask about its locks
 */
public record TransactionRequest<T>(
    List<KeyRef> keys,
    List<WatchedKey> watches,
    TransactionBody<T> body,
    TransactionOrigin origin) {
  public TransactionRequest {
    keys = List.copyOf(keys);
    watches = List.copyOf(watches);
  }

  /** Creates the transaction of a command on several keys. */
  public TransactionRequest(List<KeyRef> keys, List<WatchedKey> watches, TransactionBody<T> body) {
    this(keys, watches, body, TransactionOrigin.COMMAND);
  }
}
