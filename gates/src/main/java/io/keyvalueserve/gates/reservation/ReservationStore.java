package io.keyvalueserve.gates.reservation;

import io.keyvalueserve.tenancy.RevisionedStore;

/** The store of reservations: one record, under {@link #NAME}. */
public interface ReservationStore extends RevisionedStore<String, ReservationSet> {
  /** The name of the record. */
  String NAME = "all";
}
