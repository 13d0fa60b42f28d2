package io.keyvalueserve.grid.space;

import static com.hazelcast.internal.util.TimeStripUtil.recomputeWithBaseTime;
import static com.hazelcast.internal.util.TimeStripUtil.stripBaseTime;
import static com.hazelcast.map.impl.ExpirationTimeSetter.toMillis;
import static com.hazelcast.map.impl.ExpirationTimeSetter.toSeconds;

import com.hazelcast.map.impl.recordstore.expiry.ExpiryMetadata;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;

/**
 * When an entry expires, in milliseconds; {@code Long.MAX_VALUE} stands for never.
 *
 * <p><b>How the milliseconds survive migration.</b> Hazelcast writes the four times of an entry as
 * four ints of whole seconds and reads them back with a class of its own, which cannot be replaced;
 * but it hands them, as they came, to the setters here. So the milliseconds travel in the one int
 * that an entry with a time to live does not need, its idle time:
 *
 * <pre>
 *   idle time on the wire   means
 *   0 or more               that many seconds (MAX_VALUE: never); the expiration counts in seconds
 *   -1 - m, m in 0..999     never idle; add m milliseconds to the expiration
 * </pre>
 *
 * <p>An entry with an idle time loses its milliseconds: its expiration is rounded up, never down.
 * One that expires after 2086, where seconds in an int end, never expires once it has migrated. All
 * of this does not concern {@code KeyBackup}, which sends longs.
 *
 * <p>Written by the partition thread; the expiration is read by query threads too.
 */
final class MillisecondExpiry implements ExpiryMetadata {
  /** Later times count as this one, so that Hazelcast may add its delays without overflow. */
  static final long LATEST = Long.MAX_VALUE >>> 1;

  private static final long MILLIS_PER_SECOND = 1_000;

  private long ttl = Long.MAX_VALUE;
  private long maxIdle = Long.MAX_VALUE;
  private long lastUpdateTime;
  private int extraMillis;
  private volatile long expirationTime = Long.MAX_VALUE;

  @Override
  public long getTtl() {
    return ttl;
  }

  @Override
  public int getRawTtl() {
    return wholeSecondsUp(ttl);
  }

  @Override
  public ExpiryMetadata setTtl(long ttl) {
    this.ttl = ttl <= 0 ? Long.MAX_VALUE : ttl;
    return this;
  }

  @Override
  public ExpiryMetadata setRawTtl(int ttl) {
    return setTtl(toMillis(ttl));
  }

  @Override
  public long getMaxIdle() {
    return maxIdle;
  }

  @Override
  public int getRawMaxIdle() {
    return wholeSecondsUp(maxIdle);
  }

  /** To be called before {@link #setExpirationTime}, as Hazelcast does. */
  @Override
  public ExpiryMetadata setMaxIdle(long maxIdle) {
    boolean carriesMillis = maxIdle <= -MILLIS_PER_SECOND;
    this.extraMillis = carriesMillis ? (int) (-maxIdle / MILLIS_PER_SECOND - 1) : 0;
    this.maxIdle = maxIdle <= 0 ? Long.MAX_VALUE : maxIdle;
    return this;
  }

  @Override
  public ExpiryMetadata setRawMaxIdle(int maxIdle) {
    return setMaxIdle(toMillis(maxIdle));
  }

  @Override
  public long getExpirationTime() {
    return expirationTime;
  }

  @Override
  public int getRawExpirationTime() {
    return secondsUp(expirationTime);
  }

  @Override
  public ExpiryMetadata setExpirationTime(long expirationTime) {
    this.expirationTime = Math.min(expirationTime, LATEST) + extraMillis;
    this.extraMillis = 0;
    return this;
  }

  @Override
  public ExpiryMetadata setRawExpirationTime(int expirationTime) {
    return setExpirationTime(recomputeWithBaseTime(expirationTime));
  }

  @Override
  public long getLastUpdateTime() {
    return lastUpdateTime;
  }

  @Override
  public int getRawLastUpdateTime() {
    return secondsUp(lastUpdateTime);
  }

  @Override
  public ExpiryMetadata setLastUpdateTime(long lastUpdateTime) {
    this.lastUpdateTime = lastUpdateTime;
    return this;
  }

  @Override
  public ExpiryMetadata setRawLastUpdateTime(int lastUpdateTime) {
    return setLastUpdateTime(recomputeWithBaseTime(lastUpdateTime));
  }

  @Override
  public void write(ObjectDataOutput out) throws IOException {
    long at = expirationTime;
    boolean idles = maxIdle != Long.MAX_VALUE;
    int millis = (int) Math.floorMod(at, MILLIS_PER_SECOND);
    out.writeInt(getRawTtl());
    out.writeInt(idles ? getRawMaxIdle() : -1 - millis);
    out.writeInt(idles ? secondsUp(at) : stripBaseTime(at));
    out.writeInt(getRawLastUpdateTime());
  }

  @Override
  public void read(ObjectDataInput in) throws IOException {
    setRawTtl(in.readInt());
    setRawMaxIdle(in.readInt());
    setRawExpirationTime(in.readInt());
    setRawLastUpdateTime(in.readInt());
  }

  @Override
  public String toString() {
    return "MillisecondExpiry[ttl="
        + ttl
        + ", maxIdle="
        + maxIdle
        + ", expirationTime="
        + expirationTime
        + ", lastUpdateTime="
        + lastUpdateTime
        + "]";
  }

  private static int wholeSecondsUp(long millis) {
    return toSeconds(
        millis == Long.MAX_VALUE ? millis : Math.min(millis, LATEST) + MILLIS_PER_SECOND - 1);
  }

  private static int secondsUp(long millis) {
    return stripBaseTime(
        millis > LATEST - MILLIS_PER_SECOND ? millis : millis + MILLIS_PER_SECOND - 1);
  }
}
