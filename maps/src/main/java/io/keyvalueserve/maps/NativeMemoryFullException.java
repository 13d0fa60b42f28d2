package io.keyvalueserve.maps;

/**
 * The member's memory is full, and nothing may be evicted to make room: the write was not carried
 * out. Belongs to the operation that wrote.
 */
public final class NativeMemoryFullException extends RefusedException {
  private static final long serialVersionUID = 1;

  NativeMemoryFullException(String message) {
    super(message);
  }
}
