package io.keyvalueserve.gates.reservation;

import io.keyvalueserve.tenancy.RevisionedStore;

/** Where reservations are kept: one record, under {@link #NAME}. */
public interface ReservationStore extends RevisionedStore<String, ReservationSet> {
  /** The name of the record. */
  String NAME = "all";
}
