package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.gates.reservation.ReservationCodec;
import io.keyvalueserve.gates.reservation.ReservationSet;
import io.keyvalueserve.gates.reservation.ReservationStore;

/** Reservations in a system map of the grid, all in one record. */
public final class GridReservationStore extends RecordMap<String, ReservationSet>
    implements ReservationStore {
  private static final String RESERVATIONS = "__kvs.reservations";

  /** The reservations as this member reaches them. */
  public GridReservationStore(HazelcastInstance instance, NodeEngine nodeEngine) {
    super(RESERVATIONS, instance, nodeEngine);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    configure(config, RESERVATIONS, RecordMergePolicy.Reservations.class);
  }

  @Override
  String encode(ReservationSet set) {
    return ReservationCodec.encode(set);
  }

  @Override
  ReservationSet decode(String text) {
    return ReservationCodec.decode(text);
  }

  @Override
  String nameOf(ReservationSet set) {
    return NAME;
  }

  @Override
  long revisionOf(ReservationSet set) {
    return set.revision();
  }
}
