package io.keyvalueserve.maps;

import com.hazelcast.config.Config;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Tells a new copy of a partition when keys of a map were changed since members were lost. Follows
 * the entries; says the same however often it is told.
 */
public final class ChangeNotes extends MemberMessage implements AllowedDuringPassiveState {
  /** The factory's number in a member's configuration: "kvk" in ASCII. */
  private static final int FACTORY_ID = 0x6b766b;

  private static final int MOST_KEYS = 32_768;

  private String map = "";
  private List<String> missing = List.of();
  private long[] hashes = {};
  private long[] times = {};
  private long clearedAt;
  private boolean incomplete;
  private boolean beganEmpty;

  /** Creates an empty operation for deserialization. */
  ChangeNotes() {
    super(FACTORY_ID);
  }

  private ChangeNotes(
      String map, List<String> missing, StoreChanges of, long[] hashes, long[] times) {
    this();
    this.map = map;
    this.missing = missing;
    this.hashes = hashes;
    this.times = times;
    this.clearedAt = of.clearedAt();
    this.incomplete = of.isIncomplete();
    this.beganEmpty = of.hasBegunEmpty();
  }

  /** Makes a member understand this; before it starts. */
  public static void register(Config config) {
    register(config, FACTORY_ID, ChangeNotes::new);
  }

  /**
   * Returns the operations that tell a new copy of a partition which keys of some maps were
   * changed. Called by the partition's writer.
   */
  static List<Operation> of(NativeMaps maps, int partition, Collection<String> names) {
    List<Operation> all = new ArrayList<>();
    List<String> missing = maps.changes().missing();
    maps.partitions()
        .exclusively(
            partition,
            () -> {
              for (String name : names) {
                NativeRecordStore store = maps.partitions().store(name, partition);
                StoreChanges changes = store == null ? null : store.entries().changesOfSplit();
                if (changes != null) {
                  addTo(all, name, missing, changes);
                }
              }
            });
    return all;
  }

  private static void addTo(
      List<Operation> all, String map, List<String> missing, StoreChanges changes) {
    int size = changes.times().size();
    long[] hashes = new long[size];
    long[] times = new long[size];
    int[] next = {0};
    changes
        .times()
        .forEach(
            (hash, time) -> {
              hashes[next[0]] = hash;
              times[next[0]++] = time;
            });
    int from = 0;
    do {
      int to = Math.min(size, from + MOST_KEYS);
      all.add(
          new ChangeNotes(
              map,
              missing,
              changes,
              Arrays.copyOfRange(hashes, from, to),
              Arrays.copyOfRange(times, from, to)));
      from = to;
    } while (from < size);
  }

  @Override
  public void run() {
    NativeMaps maps = KvsMapService.mapsOf(getNodeEngine());
    maps.changes().learn(missing);
    StoreChanges changes =
        maps.partitions().storeForRestart(map, getPartitionId()).entries().changesOfSplit();
    if (changes == null) {
      return;
    }
    changes.cleared(clearedAt);
    for (int i = 0; i < hashes.length; i++) {
      changes.note(hashes[i], times[i]);
    }
    if (incomplete) {
      changes.setIncomplete();
    }
    changes.setBegunEmpty(beganEmpty);
  }

  @Override
  public String getServiceName() {
    return MapService.SERVICE_NAME;
  }

  @Override
  public boolean returnsResponse() {
    return false;
  }

  @Override
  public boolean validatesTarget() {
    return false;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeString(map);
    out.writeStringArray(missing.toArray(String[]::new));
    out.writeLongArray(hashes);
    out.writeLongArray(times);
    out.writeLong(clearedAt);
    out.writeBoolean(incomplete);
    out.writeBoolean(beganEmpty);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    map = text(in);
    String[] lost = in.readStringArray();
    missing = lost == null ? List.of() : List.of(lost);
    hashes = MergeBackup.numbers(in);
    times = MergeBackup.numbers(in);
    clearedAt = in.readLong();
    incomplete = in.readBoolean();
    beganEmpty = in.readBoolean();
  }
}
