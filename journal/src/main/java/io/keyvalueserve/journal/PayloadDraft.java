package io.keyvalueserve.journal;

/**
 * A payload that is in a file of its own already, ahead of the frame that will refer to it: so that
 * whoever appends that does not wait for the disk. See {@link Journal#draft}.
 *
 * <p>What is never appended is to be {@linkplain #discard discarded}; after a crash its file is
 * removed when the log is read. One thread at a time.
 */
public final class PayloadDraft {
  private final Blobs blobs;
  private final DiskFile file;
  private final long id;
  private final int bytes;
  private final int crc;
  private boolean isOver;

  PayloadDraft(Blobs blobs, DiskFile file, long id, int bytes, int crc) {
    this.blobs = blobs;
    this.file = file;
    this.id = id;
    this.bytes = bytes;
    this.crc = crc;
  }

  /** Returns the length of the payload, in bytes. */
  public int bytes() {
    return bytes;
  }

  /** Returns whether it was appended or discarded. */
  public boolean isOver() {
    return isOver;
  }

  /** Removes the file, unless it was appended. Waits for the disk. Idempotent; throws nothing. */
  public void discard() {
    if (!isOver) {
      isOver = true;
      blobs.discard(id, file);
    }
  }

  long id() {
    return id;
  }

  int crc() {
    return crc;
  }

  /**
   * Refuses a draft that was used before. Called before a frame for it is made.
   *
   * @throws IllegalStateException if it was appended or discarded
   */
  void requireFresh() {
    if (isOver) {
      throw new IllegalStateException("the draft was appended or discarded");
    }
  }

  /** A frame is about to refer to it. */
  void appending() {
    isOver = true;
    blobs.adopt(id, file);
  }
}
