package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.KeyMapContract;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The engine's contract on a single member. */
final class OneMemberTest extends KeyMapContract {
  private static TestGrid grid;
  private static Engine engine;

  @BeforeAll
  static void start() {
    grid = new TestGrid(1, 271);
    engine = grid.engine(0);
  }

  @AfterAll
  static void stop() {
    grid.close();
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
