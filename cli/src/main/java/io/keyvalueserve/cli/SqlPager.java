package io.keyvalueserve.cli;

import java.io.IOException;
import java.util.function.Predicate;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;

/** Prints lines a screen at a time, and asks between them whether to go on. Used by one thread. */
final class SqlPager implements Predicate<String> {
  private static final String QUESTION = "-- Space: more, a: all, q: no more --";
  private static final String ERASE = "\r\u001b[K";
  private static final int CTRL_C = 3;
  private static final int CTRL_D = 4;

  private final Terminal terminal;
  private int left;
  private boolean isAll;

  SqlPager(Terminal terminal) {
    this.terminal = terminal;
    this.left = page();
    this.isAll = terminal.getType().startsWith(Terminal.TYPE_DUMB);
  }

  private int page() {
    return Math.max(1, terminal.getSize().getRows() - 2);
  }

  @Override
  public boolean test(String line) {
    if (!isAll && left == 0 && !goesOn()) {
      return false;
    }
    terminal.writer().println(line);
    left--;
    return true;
  }

  private boolean goesOn() {
    terminal.writer().print(QUESTION);
    terminal.flush();
    Attributes before = terminal.enterRawMode();
    int key;
    try {
      key = terminal.reader().read();
    } catch (IOException e) {
      key = -1;
    } finally {
      terminal.setAttributes(before);
    }
    terminal.writer().print(ERASE);
    isAll = key == 'a' || key == 'A';
    left = key == '\r' || key == '\n' ? 1 : page();
    return !(key == -1 || key == 'q' || key == 'Q' || key == CTRL_C || key == CTRL_D);
  }
}
