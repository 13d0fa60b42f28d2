package io.keyvalueserve.tenancy.audit;

import org.jspecify.annotations.Nullable;

/** The audit trail could not do what was asked. The message says why and what to do. */
public final class AuditException extends RuntimeException {
  /** Creates an exception with what is wrong and the remedy. */
  public AuditException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
