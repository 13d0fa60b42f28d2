package io.keyvalueserve.grid.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.DirectFirst;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.KeyMapContract;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The engine's contract from one of three members, directly where that can be. */
final class DirectThreeMembersTest extends KeyMapContract {
  private static TestGrid grid;
  private static DirectFirst engine;

  @BeforeAll
  static void start() {
    grid = new TestGrid(3, 71);
    engine = new DirectFirst(grid.engine(0));
  }

  @AfterAll
  static void stop() {
    grid.close();
    if (TestGrid.FAST_PATH.direct()) {
      assertThat(engine.answered()).isGreaterThan(0);
    } else {
      assertThat(engine.answered()).isZero();
    }
  }

  @Override
  protected Engine engine() {
    return engine;
  }

  @Override
  protected long nowMillis() {
    return System.currentTimeMillis();
  }

  @Override
  protected void passTo(long timeMillis) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> System.currentTimeMillis() >= timeMillis);
  }
}
