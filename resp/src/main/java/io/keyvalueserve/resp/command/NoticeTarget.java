package io.keyvalueserve.resp.command;

import io.keyvalueserve.tenancy.MapName;

/**
 * The tenant whose channels tell about a map's keys: its owner.
 *
 * @param tenant the owner's number
 * @param database the map as the names of channels have it: 0 for the map {@code default}
 * @param flags the events that the owner has turned on: {@link NotifyFlags}; 0 if nobody listens
 */
public record NoticeTarget(int tenant, String database, int flags) {
  private static final String DEFAULT_DATABASE = "0";

  /**
   * Returns the target of a map.
   *
   * @param map the map's name within its tenant
   */
  public static NoticeTarget of(int tenant, String map, int flags) {
    return new NoticeTarget(
        tenant, map.equals(MapName.DEFAULT.value()) ? DEFAULT_DATABASE : map, flags);
  }

  /** No events. */
  public static final NoticeTarget NONE = new NoticeTarget(0, "", 0);
}
