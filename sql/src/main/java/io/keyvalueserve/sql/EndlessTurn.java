package io.keyvalueserve.sql;

/** A turn of {@link QueryTurns#unlimited}. */
enum EndlessTurn implements QueryTurns.Turn {
  ENDLESS;

  @Override
  public void checkpoint() {
    // Nobody waits.
  }

  @Override
  public void close() {
    // Nobody waits.
  }
}
