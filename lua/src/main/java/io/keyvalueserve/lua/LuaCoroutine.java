package io.keyvalueserve.lua;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A coroutine: a stack of frames. It has no thread, so one that is abandoned is just garbage. */
public final class LuaCoroutine extends LuaValue {
  static final int BYTES = 256;

  enum Status {
    SUSPENDED("suspended"),
    RUNNING("running"),
    NORMAL("normal"),
    DEAD("dead");

    final String text;

    Status(String text) {
      this.text = text;
    }
  }

  private final int id;
  Status status = Status.SUSPENDED;

  /** The function, until it is started. */
  @Nullable LuaClosure start;

  private @Nullable Frame[] frames = new Frame[4];
  int depth;

  /** Calls from Java at the time it was resumed: while there are more, it cannot yield. */
  int javaDepth;

  /** The coroutine that resumed this one. */
  @Nullable LuaCoroutine resumer;

  int mark;

  LuaCoroutine(int id, @Nullable LuaClosure start) {
    this.id = id;
    this.start = start;
  }

  void push(Frame frame) {
    if (depth == frames.length) {
      frames = Arrays.copyOf(frames, depth * 2);
    }
    frames[depth++] = frame;
  }

  Frame top() {
    return frame(depth - 1);
  }

  Frame frame(int at) {
    Frame f = frames[at];
    if (f == null) {
      throw new IllegalStateException("no frame " + at);
    }
    return f;
  }

  /** Removes the top frame. */
  void pop() {
    frames[--depth] = null;
  }

  @Override
  public String typeName() {
    return "thread";
  }

  @Override
  int hash() {
    return id;
  }

  @Override
  public String toString() {
    return String.format("thread: 0x%08x", id);
  }
}
