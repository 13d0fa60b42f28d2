package io.keyvalueserve.engine;

final class MapEngineTransactionTest extends TransactionContract {
  private static final Engine ENGINE = new MapEngine(new TurnedClock(1_000_000_000_000L));

  @Override
  protected Engine engine() {
    return ENGINE;
  }
}
