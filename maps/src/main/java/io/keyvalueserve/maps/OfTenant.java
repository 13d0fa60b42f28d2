package io.keyvalueserve.maps;

/** An operation that says in whose name it was sent. */
public interface OfTenant {
  /** The tenant's number; {@link Writers#OWNER} if nobody is known to have sent it. */
  int tenant();
}
