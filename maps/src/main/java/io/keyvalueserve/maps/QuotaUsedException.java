package io.keyvalueserve.maps;

/**
 * The tenant that the map belongs to has what it may have: the write was not carried out. Belongs
 * to the operation that wrote. Clients are told of it as an overload.
 */
public final class QuotaUsedException extends RefusedException {
  private static final long serialVersionUID = 1;

  QuotaUsedException(String message) {
    super(message);
  }
}
