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
        Map.ofEntries(
            Map.entry(Kind.TOO_COSTLY, new Told(400, "too_costly", false)),
            Map.entry(Kind.FORCED_OFF, new Told(409, "lock_forced_off", false)),
            Map.entry(Kind.NOT_STORABLE, new Told(422, "not_storable", false)),
            Map.entry(Kind.IN_DOUBT, new Told(503, "in_doubt", true)),
            Map.entry(Kind.UNAVAILABLE, new Told(503, "unavailable", true)),
            Map.entry(Kind.TIMEOUT, new Told(503, "timeout", true)),
            Map.entry(Kind.LOADING, new Told(503, "loading", true)),
            Map.entry(Kind.NOT_LOGGED, new Told(503, "not_logged", true)),
            Map.entry(Kind.FULL, new Told(507, "memory_full", false)),
            Map.entry(Kind.QUOTA, new Told(507, "quota_used", false)),
            Map.entry(Kind.REFUSED, new Told(403, "forbidden", false)),
            Map.entry(Kind.INTERNAL, new Told(500, "internal", false)));
    for (Kind kind : Kind.values()) {
      HttpErrors.Refused refused = EntrySession.told(new Failure(kind, "why"));
      assertThat(new Told(refused.status().code(), refused.code(), refused.retryAfterSeconds() > 0))
          .as(kind.name())
          .isEqualTo(wanted.get(kind));
      assertThat(refused).hasMessage("why");
    }
  }
}
