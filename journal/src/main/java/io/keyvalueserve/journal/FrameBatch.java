package io.keyvalueserve.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * Some frames that a loader gives to its sink next, one after the other: most often many in a row
 * are of one partition. Used again, as its frames are: good during the call that it was given to,
 * on that thread only.
 */
public final class FrameBatch {
  /** The most frames in a batch. */
  public static final int MOST = 32;

  private final List<Frame> frames = new ArrayList<>(MOST);
  private final int[] types = new int[MOST];
  private int count;

  FrameBatch() {
    for (int i = 0; i < MOST; i++) {
      frames.add(new Frame());
    }
  }

  boolean isFull() {
    return count == MOST;
  }

  /** A frame to be filled in, and then {@linkplain #add added}. */
  Frame next() {
    return frames.get(count);
  }

  /** Adds the frame that was filled in last. */
  void add(int type) {
    types[count++] = type;
  }

  void clear() {
    count = 0;
  }

  /** Returns the number of frames. */
  public int count() {
    return count;
  }

  /** A frame. */
  public Frame frame(int i) {
    return frames.get(i);
  }

  /** Returns whether a frame is one of those that {@link RecoverySink#put} takes. */
  public boolean isPut(int i) {
    return types[i] == Frames.PUT;
  }

  /** Returns whether a frame is about one key. */
  public boolean hasKey(int i) {
    return types[i] == Frames.PUT || types[i] == Frames.REMOVE;
  }

  /** The first frame behind another one that is not of the same partition. */
  public int endOfPartition(int i) {
    int partition = frame(i).partition();
    int end = i + 1;
    while (end < count && frame(end).partition() == partition) {
      end++;
    }
    return end;
  }

  /** Gives a frame to a sink, as what it is. */
  public void give(int i, RecoverySink sink) {
    Frame frame = frames.get(i);
    switch (types[i]) {
      case Frames.PUT -> sink.put(frame);
      case Frames.REMOVE -> sink.remove(frame);
      case Frames.CLEAR -> sink.clear(frame);
      case Frames.DROP -> sink.drop(frame);
      default -> throw new IllegalStateException("no record: " + frame.position());
    }
  }
}
