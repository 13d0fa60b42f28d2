package io.keyvalueserve.tenancy;

/** The catalogue does not allow what was asked. The message names the field and says the remedy. */
public final class CatalogueException extends RuntimeException {
  private final Kind kind;

  /** The kind of problem. */
  public enum Kind {
    NO_SUCH_TENANT,
    NO_SUCH_KEY,
    TENANT_EXISTS,
    RESERVED_NAME,
    WRONG_STATE,
    NO_SUCH_GRANT,
    WRONG_GRANT,
    TOO_MANY_GRANTS,
    NO_SUCH_MEMBER,
    NO_SUCH_RESERVATION,
    WRONG_RESERVATION,
    CANNOT_RESERVE,
    RESERVED,
    NO_SUCH_STORE,
    STORE_IN_USE
  }

  /** Creates an exception of this kind. */
  public CatalogueException(Kind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  /** Returns the kind of problem. */
  public Kind kind() {
    return kind;
  }
}
