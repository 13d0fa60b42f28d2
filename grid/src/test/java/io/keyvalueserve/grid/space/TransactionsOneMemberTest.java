package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.TransactionContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of transactions on a single member. */
final class TransactionsOneMemberTest extends TransactionContract {
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
}
