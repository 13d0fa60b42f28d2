package io.keyvalueserve.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.IntPredicate;

/** What a command ended with and printed. */
record TestRun(int code, String out, String err) {
  /** Where nobody looks. */
  static final Screen PIPE = screen(false, 80, seconds -> false);

  static Screen screen(boolean isTerminal, int columns, IntPredicate pause) {
    return new Screen(isTerminal, isTerminal, true, () -> new Screen.Size(24, columns), pause);
  }

  static TestRun of(String... arguments) {
    return on(PIPE, arguments);
  }

  static TestRun on(Screen screen, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        KvsCommand.commandLine(screen)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new TestRun(code, out.toString(), err.toString());
  }
}
