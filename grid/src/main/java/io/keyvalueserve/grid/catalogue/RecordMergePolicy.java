package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.merge.MergingValue;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import io.keyvalueserve.billing.spending.CapCodec;
import io.keyvalueserve.gates.reservation.ReservationCodec;
import io.keyvalueserve.tenancy.CatalogueCodec;
import io.keyvalueserve.tenancy.grant.GrantCodec;
import java.time.Instant;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Merges a system map's records when the sides of a split meet again. Hazelcast runs it at the
 * owner of a record, on the side that goes on. What a record becomes is up to {@link
 * MergedRecords}.
 */
public abstract class RecordMergePolicy<V, T extends MergingValue<V>>
    implements SplitBrainMergePolicy<V, T, Object>,
        IdentifiedDataSerializable,
        HazelcastInstanceAware {
  /** The factory's number in a member's configuration: "kvl" in ASCII. */
  private static final int FACTORY_ID = 0x6b766c;

  private static final int TENANTS = 1;
  private static final int GRANTS = 2;
  private static final int CAPS = 3;
  private static final int RESERVATIONS = 4;
  private static final int COUNTERS = 5;
  private static final int STORES = 6;
  private static final int TENANT_KEYS = 7;
  private static final int SNAPSHOT_PLANS = 8;
  private static final int HIBERNATIONS = 9;

  private final int classId;
  private @Nullable HazelcastInstance instance;

  private RecordMergePolicy(int classId) {
    this.classId = classId;
  }

  /** Makes a member understand these policies; before it starts. */
  static void register(Config config) {
    DataSerializableFactory factory =
        typeId ->
            switch (typeId) {
              case TENANTS -> new Tenants<>();
              case GRANTS -> new Grants<>();
              case CAPS -> new Caps<>();
              case RESERVATIONS -> new Reservations<>();
              case COUNTERS -> new Counters<>();
              case STORES -> new Stores<>();
              case TENANT_KEYS -> new TenantKeys<>();
              case SNAPSHOT_PLANS -> new SnapshotPlans<>();
              case HIBERNATIONS -> new Hibernations<>();
              default -> throw new IllegalArgumentException("no such class: typeId=" + typeId);
            };
    config.getSerializationConfig().addDataSerializableFactory(FACTORY_ID, factory);
  }

  /**
   * Returns what a record becomes.
   *
   * @param mine what the side that goes on has
   * @param theirs what the other side has
   * @param since what was made later was made during the split
   */
  abstract String merge(String mine, String theirs, Instant since);

  /** Returns the record that was changed more often: mine, if both were as often. */
  private static String later(String mine, String theirs, ToLongFunction<String> revision) {
    return revision.applyAsLong(theirs) > revision.applyAsLong(mine) ? theirs : mine;
  }

  @Override
  public Object merge(T merging, @Nullable T existing) {
    if (existing == null) {
      return merging.getRawValue();
    }
    String mine = String.valueOf(existing.getDeserializedValue());
    String theirs = String.valueOf(merging.getDeserializedValue());
    String merged = merge(mine, theirs, since());
    return merged.equals(mine)
        ? existing.getRawValue()
        : merged.equals(theirs) ? merging.getRawValue() : merged;
  }

  private Instant since() {
    return instance instanceof HazelcastInstanceImpl member
        ? time(KvsMapService.mapsOf(member.node.getNodeEngine()).changes().splitSince())
        : Instant.MAX;
  }

  private static Instant time(long millis) {
    return millis == Long.MAX_VALUE ? Instant.MAX : Instant.ofEpochMilli(millis);
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance hazelcastInstance) {
    instance = hazelcastInstance;
  }

  @Override
  public int getFactoryId() {
    return FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return classId;
  }

  @Override
  public void writeData(ObjectDataOutput out) {}

  @Override
  public void readData(ObjectDataInput in) {}

  /** Merges tenants: what was taken away on either side stays away. */
  public static final class Tenants<V, T extends MergingValue<V>> extends RecordMergePolicy<V, T> {
    /** Creates the policy. Hazelcast calls this, by the name of the class. */
    public Tenants() {
      super(TENANTS);
    }

    @Override
    String merge(String mine, String theirs, Instant since) {
      return CatalogueCodec.encode(
          MergedRecords.of(CatalogueCodec.decode(mine), CatalogueCodec.decode(theirs), since));
    }
  }

  /** Merges grants: what was taken away on either side stays away. */
  public static final class Grants<V, T extends MergingValue<V>> extends RecordMergePolicy<V, T> {
    /** Creates the policy. Hazelcast calls this, by the name of the class. */
    public Grants() {
      super(GRANTS);
    }

    @Override
    String merge(String mine, String theirs, Instant since) {
      return GrantCodec.encode(
          MergedRecords.of(GrantCodec.decode(mine), GrantCodec.decode(theirs), since));
    }
  }

  /** Merges spend caps: the record that was changed more often stays. */
  public static final class Caps<V, T extends MergingValue<V>> extends RecordMergePolicy<V, T> {
    /** Creates the policy. Hazelcast calls this, by the name of the class. */
    public Caps() {
      super(CAPS);
    }

    @Override
    String merge(String mine, String theirs, Instant since) {
      return later(mine, theirs, text -> CapCodec.decode(text).revision());
    }
  }

  /** Merges reservations: the record that was changed more often stays. */
  public static final class Reservations<V, T extends MergingValue<V>>
      extends RecordMergePolicy<V, T> {
    /** Creates the policy. Hazelcast calls this, by the name of the class. */
    public Reservations() {
      super(RESERVATIONS);
    }

    @Override
    String merge(String mine, String theirs, Instant since) {
      return later(mine, theirs, text -> ReservationCodec.decode(text).revision());
    }
  }

  /** Merges external stores: the record that was changed more often stays. */
  public static final class Stores<V, T extends MergingValue<V>> extends RecordMergePolicy<V, T> {
    /** Creates the policy. Hazelcast calls this, by the name of the class. */
    public Stores() {
      super(STORES);
    }

    @Override
    String merge(String mine, String theirs, Instant since) {
      return later(mine, theirs, text -> ExternalStoreCodec.decode(text).revision());
    }
  }

  /**
   * Merges the keys of tenants' snapshots: the record that was changed more often stays; of two
   * that were made on both sides the one of the side that goes on. What was destroyed stays
   * destroyed.
   */
  public static final class TenantKeys<V, T extends MergingValue<V>>
      extends RecordMergePolicy<V, T> {
    /** Creates the policy. Hazelcast calls this, by the name of the class. */
    public TenantKeys() {
      super(TENANT_KEYS);
    }

    @Override
    String merge(String mine, String theirs, Instant since) {
      return later(mine, theirs, text -> TenantKeyCodec.decode(text).revision());
    }
  }

  /** Merges plans of snapshots: the record that was changed more often stays. */
  public static final class SnapshotPlans<V, T extends MergingValue<V>>
      extends RecordMergePolicy<V, T> {
    /** Creates the policy. Hazelcast calls this, by the name of the class. */
    public SnapshotPlans() {
      super(SNAPSHOT_PLANS);
    }

    @Override
    String merge(String mine, String theirs, Instant since) {
      return later(mine, theirs, text -> SnapshotPlanCodec.decode(text).revision());
    }
  }

  /**
   * Merges where tenants' data is. No tenant falls asleep during a split, but one may wake. What
   * the side that goes on says holds, as its members have the data or not; changes of the other
   * side come to it as requests do, and wake it.
   */
  public static final class Hibernations<V, T extends MergingValue<V>>
      extends RecordMergePolicy<V, T> {
    /** Creates the policy. Hazelcast calls this, by the name of the class. */
    public Hibernations() {
      super(HIBERNATIONS);
    }

    @Override
    String merge(String mine, String theirs, Instant since) {
      return HibernationCodec.encode(
          HibernationCodec.decode(mine).mergedWith(HibernationCodec.decode(theirs)));
    }
  }

  /** Merges small facts: of two numbers the larger stays, else what is there. */
  public static final class Counters<V, T extends MergingValue<V>> extends RecordMergePolicy<V, T> {
    /** Creates the policy. Hazelcast calls this, by the name of the class. */
    public Counters() {
      super(COUNTERS);
    }

    @Override
    String merge(String mine, String theirs, Instant since) {
      try {
        return Long.parseLong(theirs) > Long.parseLong(mine) ? theirs : mine;
      } catch (NumberFormatException e) {
        return mine;
      }
    }
  }
}
