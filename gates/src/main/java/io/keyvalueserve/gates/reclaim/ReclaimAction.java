package io.keyvalueserve.gates.reclaim;

/** The fate of memory that a tenant gives up. */
public enum ReclaimAction {
  /** Values go to the member's disk and come back when they are asked for; keys stay. */
  SPILL,
  /** Entries are deleted. */
  DELETE
}
