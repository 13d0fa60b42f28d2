package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.RecoverySink;

/** For logs that have nothing to give. */
final class EmptySink implements RecoverySink {
  @Override
  public void put(Frame frame) {}

  @Override
  public void remove(Frame frame) {}

  @Override
  public void clear(Frame frame) {}

  @Override
  public void drop(Frame frame) {}
}
