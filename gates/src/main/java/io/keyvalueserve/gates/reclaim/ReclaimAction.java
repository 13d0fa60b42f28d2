package io.keyvalueserve.gates.reclaim;

/** What becomes of what a tenant gives up. */
public enum ReclaimAction {
  /** Values go to the member's disk and come back when they are asked for; keys stay. */
  SPILL,
  /** Entries are deleted. */
  DELETE
}
