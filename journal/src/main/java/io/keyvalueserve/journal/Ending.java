package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The end of something that holds files, memory and a lock: every step is taken, whatever fails.
 * The first failure is thrown when all steps have been taken; later ones are suppressed in it. For
 * one thread.
 */
final class Ending {
  /** Something that may fail. */
  interface Step {
    void run() throws IOException;
  }

  private @Nullable Throwable failure;

  /** Takes a step. */
  void step(Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException | Error e) {
      add(e);
    }
  }

  /** Notes what has failed elsewhere. */
  @SuppressWarnings("ReferenceEquality") // nothing can be suppressed in itself
  void add(Throwable e) {
    Throwable first = failure;
    if (first == null) {
      failure = e;
    } else if (first != e) {
      first.addSuppressed(e);
    }
  }

  /** Returns whether anything has failed so far. */
  boolean hasFailed() {
    return failure != null;
  }

  /** Throws the first failure, if there was one. */
  void end() throws IOException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IOException(e);
    }
  }

  /** Makes so many things, or none: if one cannot be made, those before it are closed. */
  static <T extends Closeable> List<T> makeAll(int count, IntFunction<T> make) {
    List<T> made = new ArrayList<>(count);
    try {
      for (int i = 0; i < count; i++) {
        made.add(make.apply(i));
      }
      return made;
    } catch (RuntimeException | Error e) {
      Ending ending = new Ending();
      ending.add(e);
      made.forEach(each -> ending.step(each::close));
      throw e;
    }
  }
}
