package io.keyvalueserve.engine;

final class MapEngineTest extends KeyMapContract {
  private static final TurnedClock CLOCK = new TurnedClock(1_000_000_000_000L);
  private static final Engine ENGINE = new MapEngine(CLOCK);

  @Override
  protected Engine engine() {
    return ENGINE;
  }

  @Override
  protected long nowMillis() {
    return CLOCK.millis();
  }

  @Override
  protected void passTo(long timeMillis) {
    CLOCK.turnTo(timeMillis);
  }
}
