package io.keyvalueserve.resp;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.KeyRanges;
import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandTable;
import io.keyvalueserve.resp.protocol.RequestLimits;
import io.keyvalueserve.resp.protocol.RequestView;
import org.jspecify.annotations.Nullable;

/**
 * The next requests of a pipeline, looked at together before they are answered one by one, so that
 * their keys can be anticipated. One for each event loop.
 */
final class RequestWindow {
  /** The number of requests that are looked at together. */
  private static final int SIZE = 32;

  /** The keys anticipated together. More of them would leave the processor's cache again. */
  private static final int KEYS = 2 * SIZE;

  private final CommandTable table;
  private final RequestView[] requests = new RequestView[SIZE];
  private final @Nullable Command[] commands = new Command[SIZE];
  private final int[] ends = new int[SIZE];
  private final KeyRanges keys = new KeyRanges(KEYS);
  private int count;

  RequestWindow(CommandTable table, RequestLimits limits) {
    this.table = table;
    for (int i = 0; i < SIZE; i++) {
      requests[i] = new RequestView(limits);
    }
  }

  /**
   * Looks at the requests that begin at an index, as far as they are whole and usual and name
   * commands that take as many arguments; at no more of them than have their keys anticipated, as
   * those that are not served in this slice are looked at again in the next.
   *
   * @return how many these are
   */
  int fill(byte[] bytes, int from, int limit) {
    int at = from;
    int keysSoFar = 0;
    count = 0;
    while (at < limit && count < SIZE && keysSoFar < KEYS) {
      RequestView request = requests[count];
      int end = request.read(bytes, at, limit);
      Command command = end < 0 ? null : table.find(request);
      if (command == null) {
        break;
      }
      commands[count] = command;
      keysSoFar += keys(command, request);
      ends[count++] = end;
      at = end;
    }
    return count;
  }

  private static int keys(Command command, RequestView request) {
    int last = command.descriptor().lastKey();
    return last < 0 ? (request.count() - 1) / command.descriptor().step() : last;
  }

  /** Tells a map which keys will be asked for. */
  void announce(DirectMap map) {
    keys.begin(requests[0].bytes());
    for (int i = 0; i < count; i++) {
      RequestView request = requests[i];
      Command command = commands[i];
      if (command != null && command.descriptor().firstKey() == 1) {
        int last = command.descriptor().lastKey();
        int end = last < 0 ? request.count() : last + 1;
        for (int k = 1; k < end; k += command.descriptor().step()) {
          keys.add(request.offset(k), request.length(k));
        }
      }
    }
    if (keys.count() > 1) {
      map.anticipate(keys);
    }
    keys.end();
  }

  RequestView request(int index) {
    return requests[index];
  }

  /** The command that a request names, of those that were filled in. */
  Command command(int index) {
    Command command = commands[index];
    if (command == null) {
      throw new IllegalStateException("there is no request " + index);
    }
    return command;
  }

  /** Returns the offset at which the request after this one begins. */
  int end(int index) {
    return ends[index];
  }
}
