package io.keyvalueserve.hazelcast;

import io.keyvalueserve.gates.visit.Tab;
import io.keyvalueserve.hazelcast.Structure.Placement;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.grant.MapAccess;
import io.keyvalueserve.tenancy.grant.Rights;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The maps that a session used last, by the bytes of the names its client gave them: found without
 * making a string. Holds only names that {@link ObjectNames} let pass. Of the thread that reads the
 * connection.
 */
final class DirectMaps {
  private static final int MOST = 16;

  private final ObjectNames names;
  private final GrantedMaps granted;
  private final SessionUsage usage;
  private final Function<String, AnsweringMap> maps;
  private final byte[][] said = new byte[MOST][];
  private final Reached[] found = new Reached[MOST];
  private int count;
  private int oldest;
  private @Nullable Tab lastTab;

  /**
   * @param maps the grid's maps by the grid's names
   */
  DirectMaps(
      ObjectNames names,
      GrantedMaps granted,
      SessionUsage usage,
      Function<String, AnsweringMap> maps) {
    this.names = names;
    this.granted = granted;
    this.usage = usage;
    this.maps = maps;
  }

  /**
   * A map that a session reaches.
   *
   * @param access what is granted on it; null if it is the tenant's own
   * @param tab what the session used of it
   */
  record Reached(AnsweringMap map, @Nullable MapAccess access, Tab tab) {}

  /** Returns the tab of the map that was found last. */
  @Nullable Tab lastTab() {
    return lastTab;
  }

  /**
   * Returns whether all of {@code rights} are granted on a serialized key. True for the tenant's
   * own maps.
   */
  boolean allows(Reached reached, Rights rights, byte[] bytes, int offset, int length) {
    MapAccess access = reached.access();
    return access == null || granted.allows(access, rights, bytes, offset, length);
  }

  /** The map of that name; null if the session may not use the name, or nobody could. */
  @Nullable Reached find(byte[] bytes, int offset, int length) {
    for (int i = 0; i < count; i++) {
      byte[] name = said[i];
      if (Arrays.equals(name, 0, name.length, bytes, offset, offset + length)) {
        lastTab = found[i].tab();
        return found[i];
      }
    }
    return resolve(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  private @Nullable Reached resolve(byte[] name) {
    Reached reached = reach(new String(name, StandardCharsets.UTF_8));
    if (reached == null) {
      return null;
    }
    lastTab = reached.tab();
    int slot = oldest;
    said[slot] = name;
    found[slot] = reached;
    oldest = (slot + 1) % MOST;
    count = Math.max(count, slot + 1);
    return reached;
  }

  private @Nullable Reached reach(String name) {
    if (granted.isForeign(name)) {
      MapAccess access = granted.access(name);
      return access == null ? null : new Reached(maps.apply(name), access, new Tab(usage.of(name)));
    }
    try {
      AnsweringMap map = maps.apply(names.toGrid(name, Placement.BY_KEY));
      return new Reached(map, null, new Tab(usage.of(name)));
    } catch (MessageRefusedException | InvalidNameException e) {
      return null;
    }
  }
}
