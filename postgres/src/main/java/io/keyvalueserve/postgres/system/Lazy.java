package io.keyvalueserve.postgres.system;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value of a row that is only found if it is asked for. Not thread-safe. */
final class Lazy {
  private @Nullable Supplier<@Nullable Object> maker;
  private @Nullable Object value;

  Lazy(Supplier<@Nullable Object> maker) {
    this.maker = maker;
  }

  private @Nullable Object get() {
    Supplier<@Nullable Object> make = maker;
    if (make != null) {
      value = make.get();
      maker = null;
    }
    return value;
  }

  /** Returns a value that may have to be found first. */
  static @Nullable Object value(@Nullable Object cell) {
    return cell instanceof Lazy lazy ? lazy.get() : cell;
  }
}
