package io.keyvalueserve.resp;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The check whether a session may do what a long request asks, part by part. A request on several
 * keys is refused as a whole, before anything is done. On the connection's event loop only.
 */
final class KeyChecks {
  private final RespClient client;
  private final List<KeyCommand> commands;
  private int checked;

  /** Checks nothing where all is the session's own. */
  KeyChecks(RespClient client, List<KeyCommand> commands) {
    this.client = client;
    this.commands = commands;
    this.checked = client.isGuarded() ? 0 : commands.size();
  }

  boolean areDone() {
    return checked == commands.size();
  }

  /**
   * Looks at the next ones.
   *
   * @return the first that is refused, if any; the client is told elsewhere
   */
  Outcome.@Nullable Failure next(int count) {
    int to = Math.min(checked + count, commands.size());
    while (checked < to) {
      Outcome.Failure refusal = client.map().refusal(commands.get(checked++));
      if (refusal != null) {
        client.refused(refusal.message());
        return refusal;
      }
    }
    return null;
  }
}
