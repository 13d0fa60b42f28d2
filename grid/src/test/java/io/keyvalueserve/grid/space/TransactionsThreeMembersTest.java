package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.TransactionContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of transactions from one of three members: most keys are elsewhere. */
final class TransactionsThreeMembersTest extends TransactionContract {
  private static TestGrid grid;
  private static Engine engine;

  @BeforeAll
  static void start() {
    grid = new TestGrid(3, 71);
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
