package io.keyvalueserve.grid.restart;

import io.keyvalueserve.grid.hd.NativeMaps;
import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.RecordOwner;

/** The records of a member's maps, as the log's compactor needs to know them. Thread-safe. */
final class LoggedRecords implements RecordOwner {
  private final NativeMaps maps;

  LoggedRecords(NativeMaps maps) {
    this.maps = maps;
  }

  @Override
  public void exclusively(int partition, Runnable slice) {
    maps.exclusively(partition, slice);
  }

  @Override
  public long positionOf(Frame frame) {
    return maps.logPosition(
        frame.partition(), frame.mapName(), frame.keyAddress(), frame.keyBytes(), frame.keyForm());
  }

  @Override
  public void moved(Frame frame, long position) {
    maps.setLogPosition(
        frame.partition(),
        frame.mapName(),
        frame.keyAddress(),
        frame.keyBytes(),
        frame.keyForm(),
        position);
  }
}
