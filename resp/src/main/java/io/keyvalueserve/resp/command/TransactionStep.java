package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.resp.protocol.Reply;
import java.util.List;

/** A command's work in a transaction. Like the body of a transaction it may run more than once. */
@FunctionalInterface
public interface TransactionStep {
  /** Does it, and returns the reply. */
  Reply run(TransactionView view);

  /** The transaction has ended, however it did: this is not run again. Once, on any thread. */
  default void ended() {}

  /**
   * Returns the messages that are to be sent if the transaction was carried out. For after {@link
   * #ended}.
   */
  default List<OutgoingMessage> messages() {
    return List.of();
  }

  /** Returns how many reads the last run has carried out that are not counted for the command. */
  default long extraReads() {
    return 0;
  }
}
