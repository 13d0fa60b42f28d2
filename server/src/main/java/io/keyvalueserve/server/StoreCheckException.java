package io.keyvalueserve.server;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An external store did not pass its check. The message says why. */
public final class StoreCheckException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** The reasons for which a store does not pass. */
  public enum Kind {
    /** Nobody answers, or not in time. */
    STORE_UNAVAILABLE,
    /** The database answers, and does not let this member in or serve it. */
    STORE_MISCONFIGURED;

    /** Returns the code that answers use. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  StoreCheckException(Kind kind, @Nullable String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  /** Returns the reason. */
  public Kind kind() {
    return kind;
  }
}
