package io.keyvalueserve.maps;

/** Thrown when a partition's data are only on the disks of members that are down. */
public final class PartitionLostException extends RefusedException {
  private static final long serialVersionUID = 1;

  PartitionLostException(int partition) {
    super(
        "partition "
            + partition
            + " is lost: what it had is on members that are down; start them, and the others again"
            + " with them");
  }
}
