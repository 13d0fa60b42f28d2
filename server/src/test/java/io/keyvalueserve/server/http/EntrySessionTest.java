package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EntrySessionTest {
  private record Told(int status, String code, boolean comesAgain) {}

  @Test
  void everyFailureOfTheEngineHasAStatusOfItsOwnKind() {
    Map<Kind, Told> wanted =
        Map.of(
            Kind.TOO_COSTLY, new Told(400, "too_costly", false),
            Kind.IN_DOUBT, new Told(503, "in_doubt", true),
            Kind.UNAVAILABLE, new Told(503, "unavailable", true),
            Kind.TIMEOUT, new Told(503, "timeout", true),
            Kind.LOADING, new Told(503, "loading", true),
            Kind.NOT_LOGGED, new Told(503, "not_logged", true),
            Kind.FULL, new Told(507, "memory_full", false),
            Kind.QUOTA, new Told(507, "quota_used", false),
            Kind.REFUSED, new Told(403, "forbidden", false),
            Kind.INTERNAL, new Told(500, "internal", false));
    for (Kind kind : Kind.values()) {
      HttpErrors.Refused refused = EntrySession.told(new Failure(kind, "why"));
      assertThat(new Told(refused.status().code(), refused.code(), refused.retryAfterSeconds() > 0))
          .as(kind.name())
          .isEqualTo(wanted.get(kind));
      assertThat(refused).hasMessage("why");
    }
  }
}
