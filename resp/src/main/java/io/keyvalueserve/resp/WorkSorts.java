package io.keyvalueserve.resp;

import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandTable;
import org.jspecify.annotations.Nullable;

/**
 * The sorts of work. A command is of one sort on the direct path and of another on the queued path,
 * as it takes different times there.
 */
final class WorkSorts {
  private static final int DIRECT = 0;
  private static final int QUEUED = 1;
  private static final int WAYS = 2;

  private WorkSorts() {}

  /** Returns the number of sorts. */
  static int count(CommandTable commands) {
    return WAYS * (commands.mostNumber() + 1);
  }

  /** A command that is answered directly. */
  static int direct(CommandTable commands, Command command) {
    return WAYS * commands.number(command) + DIRECT;
  }

  /**
   * A command that was queued.
   *
   * @param command null if it is not known, or there are several
   */
  static int queued(CommandTable commands, @Nullable Command command) {
    return WAYS * (command == null ? 0 : commands.number(command)) + QUEUED;
  }
}
