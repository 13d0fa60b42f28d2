package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client is told when the service refuses it something. */
final class Refusals {
  /** Packages that run only in a server: a frame from there is a look inside. */
  private static final List<String> INSIDE_THE_SERVER =
      List.of(
          "com.hazelcast.client.impl.protocol.task.",
          "com.hazelcast.instance.impl.",
          "com.hazelcast.internal.server.",
          "com.hazelcast.spi.impl.operationexecutor.",
          "io.keyvalueserve.grid.",
          "io.keyvalueserve.maps.",
          "io.keyvalueserve.hazelcast.",
          "io.keyvalueserve.resp.",
          "io.keyvalueserve.gates.",
          "io.keyvalueserve.billing.",
          "io.keyvalueserve.tenancy.",
          "io.keyvalueserve.engine.");

  private Refusals() {}

  /** A refusal says that it is one, says something, and shows nothing of the server's inside. */
  static void assertClear(Throwable refusal) {
    List<Throwable> chain = chain(refusal);
    assertThat(chain)
        .as("it is a refusal: %s", refusal)
        .anyMatch(cause -> cause.getClass().getSimpleName().matches(".*AccessControl.*|.*Sql.*"));
    for (Throwable cause : chain) {
      assertThat(cause.getMessage()).as("%s", cause).isNotBlank();
      assertThat(cause.getMessage()).doesNotContain(".java:");
      for (StackTraceElement frame : cause.getStackTrace()) {
        assertThat(INSIDE_THE_SERVER)
            .as("frame %s of %s", frame, cause)
            .noneMatch(frame.getClassName()::startsWith);
      }
    }
  }

  private static List<Throwable> chain(Throwable refusal) {
    List<Throwable> chain = new ArrayList<>();
    @Nullable Throwable next = refusal;
    while (next != null && !chain.contains(next)) {
      chain.add(next);
      next = next.getCause();
    }
    return chain;
  }
}
