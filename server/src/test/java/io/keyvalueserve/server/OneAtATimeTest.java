package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {
  private final OneAtATime<String> tasks = new OneAtATime<>();
  private final List<String> ran = new ArrayList<>();

  private void run(String key, Runnable task) {
    tasks.run(key, task, () -> new IllegalStateException(key + " runs"));
  }

  @Test
  void refusesASecondTaskOfAKeyWhileTheFirstRuns() {
    run(
        "acme",
        () -> {
          assertThatThrownBy(() -> run("acme", () -> ran.add("second"))).hasMessage("acme runs");
          run("globex", () -> ran.add("other"));
          ran.add("first");
        });
    assertThat(ran).containsExactly("other", "first");
  }

  @Test
  void aTaskThatFailedKeepsNothingBack() {
    assertThatThrownBy(
            () ->
                run(
                    "acme",
                    () -> {
                      throw new IllegalArgumentException("failed");
                    }))
        .hasMessage("failed");
    run("acme", () -> ran.add("next"));
    assertThat(ran).containsExactly("next");
  }
}
