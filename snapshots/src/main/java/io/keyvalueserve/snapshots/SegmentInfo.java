package io.keyvalueserve.snapshots;

import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a segment of changes. All of them are in the name of its object, so a list needs no
 * reads, and the name is authenticated when the segment is read:
 *
 * <pre>
 *   &lt;key id&gt;/changes/&lt;member&gt;/&lt;first stamp&gt;-&lt;last stamp&gt;-&lt;number&gt;-&lt;count&gt;-&lt;f or g&gt;
 * </pre>
 *
 * Stamps and the number have 16 hexadecimal digits, so names sort by time.
 *
 * @param member the member that wrote it
 * @param number the position among the member's segments
 * @param firstStamp the least stamp of its changes, in milliseconds
 * @param lastStamp the greatest stamp of its changes, in milliseconds
 * @param count the number of changes
 * @param follows whether no change lies between the previous segment and this one
 * @param storedBytes the size of the object
 */
public record SegmentInfo(
    UUID keyId,
    UUID member,
    long number,
    long firstStamp,
    long lastStamp,
    int count,
    boolean follows,
    long storedBytes) {
  private static final Pattern NAME =
      Pattern.compile(
          "([0-9a-f-]{36})/changes/([0-9a-f-]{36})/"
              + "([0-7][0-9a-f]{15})-([0-7][0-9a-f]{15})-([0-7][0-9a-f]{15})-([0-9]{1,9})-([fg])");

  /** Returns the name of the segment's object. */
  public String objectName() {
    return String.format(
        "%s/changes/%s/%016x-%016x-%016x-%d-%s",
        keyId, member, firstStamp, lastStamp, number, count, follows ? "f" : "g");
  }

  /** Reads the name of an object; returns null if it is no segment's. */
  static @Nullable SegmentInfo ofName(String name, long storedBytes) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      return null;
    }
    try {
      SegmentInfo info =
          new SegmentInfo(
              UUID.fromString(parts.group(1)),
              UUID.fromString(parts.group(2)),
              Long.parseLong(parts.group(5), 16),
              Long.parseLong(parts.group(3), 16),
              Long.parseLong(parts.group(4), 16),
              Integer.parseInt(parts.group(6)),
              parts.group(7).equals("f"),
              storedBytes);
      return info.objectName().equals(name) ? info : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
