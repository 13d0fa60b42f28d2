package io.keyvalueserve.journal.spill;

/**
 * The configuration of a spill area.
 *
 * @param capacityBytes the most it takes of the disk, in whole files: from {@code fileBytes} to 16
 *     TiB
 * @param fileBytes a file's size, a multiple of 256 KiB up to 1 GiB; a value is shorter by 16 bytes
 *     at least
 */
public record SpillConfig(long capacityBytes, int fileBytes) {
  private static final int MOST_FILE_BYTES = 1 << 30;
  private static final long MOST_BYTES = 1L << 44;

  /**
   * @throws IllegalArgumentException if a figure is out of its range
   */
  public SpillConfig {
    if (fileBytes < SpillSpace.SLAB_BYTES
        || fileBytes > MOST_FILE_BYTES
        || fileBytes % SpillSpace.SLAB_BYTES != 0) {
      throw new IllegalArgumentException(
          "fileBytes is a multiple of %d up to %d: %d"
              .formatted(SpillSpace.SLAB_BYTES, MOST_FILE_BYTES, fileBytes));
    }
    if (capacityBytes < fileBytes || capacityBytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "capacityBytes is %d to %d: %d".formatted(fileBytes, MOST_BYTES, capacityBytes));
    }
  }

  /** Files of 256 MiB, or one of the whole capacity if that is less. */
  public static SpillConfig of(long capacityBytes) {
    long whole = Math.max(SpillSpace.SLAB_BYTES, capacityBytes & -SpillSpace.SLAB_BYTES);
    return new SpillConfig(capacityBytes, (int) Math.min(256 << 20, whole));
  }

  int mostFiles() {
    return (int) (capacityBytes / fileBytes);
  }

  int pagesPerFile() {
    return fileBytes / SpillSpace.PAGE_BYTES;
  }
}
