package io.keyvalueserve.grid.ledger;

import io.keyvalueserve.billing.metering.UsageIdentity;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The last interval for which each life of a member has told what a tenant used. Intervals are told
 * in their order, so that the last one says what is known.
 *
 * <p>Keeps the {@value #MOST} lives that told last. A clock has no say in it: a life is forgotten
 * only if it is silent while so many others tell something.
 *
 * <p>For one thread at a time.
 */
final class PostedMarks {
  static final int MOST = 256;

  /**
   * The last posted interval of each life of a member. The life that was silent longest comes
   * first.
   */
  private final Map<Life, Long> marks = new LinkedHashMap<>();

  /** A member from one start to the next. */
  private record Life(UUID member, long incarnation) {}

  /** A copy that goes its own way. */
  PostedMarks copy() {
    PostedMarks copy = new PostedMarks();
    copy.marks.putAll(marks);
    return copy;
  }

  /** Returns whether an event was posted. */
  boolean knows(UsageIdentity event) {
    return marks.getOrDefault(life(event), -1L) >= event.interval();
  }

  /** Marks an event as posted. */
  void add(UsageIdentity event) {
    Life life = life(event);
    Long before = marks.remove(life);
    marks.put(life, before == null ? event.interval() : Math.max(before, event.interval()));
    if (marks.size() > MOST) {
      marks.remove(marks.keySet().iterator().next());
    }
  }

  private static Life life(UsageIdentity event) {
    return new Life(event.member(), event.incarnation());
  }

  /** Returns the number of lives that are known. */
  int size() {
    return marks.size();
  }

  /** Writes a number of 4 bytes, and 32 bytes for each life, in their order. */
  void write(DataOutputStream out) throws IOException {
    out.writeInt(marks.size());
    for (Map.Entry<Life, Long> mark : marks.entrySet()) {
      out.writeLong(mark.getKey().member().getMostSignificantBits());
      out.writeLong(mark.getKey().member().getLeastSignificantBits());
      out.writeLong(mark.getKey().incarnation());
      out.writeLong(mark.getValue());
    }
  }

  static PostedMarks read(DataInputStream in) throws IOException {
    PostedMarks read = new PostedMarks();
    for (int left = in.readInt(); left > 0; left--) {
      Life life = new Life(new UUID(in.readLong(), in.readLong()), in.readLong());
      read.marks.put(life, in.readLong());
    }
    return read;
  }
}
