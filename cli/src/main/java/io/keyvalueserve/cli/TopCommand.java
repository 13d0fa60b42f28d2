package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Console;
import java.io.PrintWriter;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kvs top} */
@Command(
    name = "top",
    description = {
      "Shows which tenants use most, on all members, how long their requests take, and who waits"
          + " for whom; and what members do.",
      "On a terminal it fills the screen: q or Ctrl-C ends, m shows members, arrows left and right"
          + " choose the column that sorts, r turns the order round, arrows up and down scroll, p"
          + " pauses.",
      "P50 and P99 are of the last ten seconds, in ms. WAITED is how long a tenant's Redis sessions"
          + " wait to be served, in ms a second; BEHIND names the tenants that were served"
          + " meanwhile, and for how much of it."
    },
    mixinStandardHelpOptions = true)
final class TopCommand implements Callable<Integer> {
  private static final String CLEAR = "\u001b[H\u001b[2J";
  private static final long MILLIS = 1_000;
  private static final String TOP = "/api/v1/top";

  @Option(
      names = "--interval",
      defaultValue = "2",
      paramLabel = "SECONDS",
      description = "How often: 1 to 3600. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(names = "--once", description = "Once, and no more. Usual where there is no terminal.")
  private boolean once;

  @Option(names = "--members", description = "Members instead of tenants, for operators.")
  private boolean members;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many tenants, those that use most: 1 to 1000. Default: 100")
  private @Nullable Integer limit;

  @Option(
      names = "--sort",
      paramLabel = "FIGURE",
      description =
          "By what they are chosen: operationsPerSecond, bytesInPerSecond, bytesOutPerSecond,"
              + " memoryBytes, connections, throttled or waitedMillisPerSecond. Default:"
              + " operationsPerSecond")
  private @Nullable String sort;

  @Mixin private AdminClient client = new AdminClient();
  @Mixin private Output out = new Output();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (seconds < 1 || seconds > 3600) {
      throw new ParameterException(
          spec.commandLine(), "--interval '" + seconds + "': use 1 to 3600 seconds");
    }
    Console console = System.console();
    if (once || console == null || !console.isTerminal()) {
      print(top());
      return 0;
    }
    JsonNode first = top(); // what is wrong is told before the screen is taken
    PrintWriter terminal = spec.commandLine().getOut();
    try (FullScreen screen = out.isJson() ? null : FullScreen.open(terminal, System.in)) {
      if (screen != null) {
        fill(screen, first);
        return 0;
      }
    }
    repeat(first);
    return 0;
  }

  private JsonNode top() {
    StringJoiner parameters = new StringJoiner("&", TOP + "?", "").setEmptyValue(TOP);
    AdminClient.add(parameters, "limit", limit == null ? null : limit.toString());
    AdminClient.add(parameters, "sort", sort);
    return client.get(parameters.toString());
  }

  private void print(JsonNode top) {
    out.print(top, (members ? TopTable.MEMBERS : TopTable.TENANTS).plain(top));
    if (!out.isJson()) {
      for (JsonNode member : top.path("silent")) {
        spec.commandLine().getErr().println("member " + member.asText() + " gave no answer");
      }
      if (members && !top.has("members")) {
        spec.commandLine().getErr().println("members are shown to operators");
      }
    }
  }

  /** Shows one screen after the other, until a key ends it. */
  private void fill(FullScreen screen, JsonNode first) throws InterruptedException {
    TopState state = TopState.begin(members);
    TopKeys keys = new TopKeys();
    JsonNode top = first;
    long asked = System.nanoTime();
    while (true) {
      FullScreen.Size size = screen.size();
      TopScreen drawn = TopScreen.of(top, size.width(), size.height(), state);
      screen.show(drawn.frame(size.width()));
      state = drawn.state();
      long past = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked);
      Integer pressed = screen.key(Math.max(0, seconds * MILLIS - past));
      if (pressed != null) {
        TopKey key = keys.key(pressed);
        if (key == TopKey.QUIT) {
          return;
        }
        state = key == null ? state : state.after(key);
      } else {
        top = state.isPaused() ? top : top();
        asked = System.nanoTime();
      }
    }
  }

  /**
   * Prints one screen after the other until the process is ended, for output that is no full
   * screen.
   */
  private void repeat(JsonNode first) throws InterruptedException {
    JsonNode top = first;
    while (true) {
      spec.commandLine().getOut().print(CLEAR);
      print(top);
      Thread.sleep(seconds * MILLIS);
      top = top();
    }
  }
}
