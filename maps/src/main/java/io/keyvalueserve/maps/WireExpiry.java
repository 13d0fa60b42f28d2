package io.keyvalueserve.maps;

import static com.hazelcast.internal.util.TimeStripUtil.stripBaseTime;
import static com.hazelcast.map.impl.ExpirationTimeSetter.toSeconds;

import com.hazelcast.map.impl.recordstore.expiry.ExpiryMetadata;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;

/**
 * The expiry of an entry, in milliseconds, as it was when it was asked for; {@code Long.MAX_VALUE}
 * stands for never.
 *
 * <p><b>How the milliseconds survive migration.</b> Hazelcast writes the four times of an entry as
 * four ints of whole seconds and reads them back with a class of its own, which cannot be replaced;
 * but it hands them, as they came, to the expiry system ({@link #expiration}, {@link #maxIdle}). So
 * the milliseconds travel in the one int that an entry with a time to live does not need, its idle
 * time:
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
 * @param ttl from the last update
 * @param maxIdle from the last use
 * @param expirationTime since 1970
 * @param lastUpdateTime since 1970
 */
record WireExpiry(long ttl, long maxIdle, long expirationTime, long lastUpdateTime)
    implements ExpiryMetadata {
  private static final long MILLIS_PER_SECOND = 1_000;

  /** Later times count as this one, so that milliseconds may be added without overflow. */
  static final long LATEST = Long.MAX_VALUE - 2 * MILLIS_PER_SECOND;

  /** The expiration that a pair of times stands for, whether it came over the wire or not. */
  static long expiration(long maxIdle, long expiration) {
    if (expiration == Long.MAX_VALUE) {
      return expiration;
    }
    long extraMillis = maxIdle <= -MILLIS_PER_SECOND ? -maxIdle / MILLIS_PER_SECOND - 1 : 0;
    return Math.min(expiration, LATEST) + extraMillis;
  }

  /**
   * The expiration that Hazelcast can tell of a computed one: never, if it is after 2086, where its
   * seconds in an int end.
   */
  static long known(long expiration) {
    return stripBaseTime(expiration) == Integer.MAX_VALUE ? Long.MAX_VALUE : expiration;
  }

  /** The idle time that an idle time stands for, whether it came over the wire or not. */
  static long maxIdle(long maxIdle) {
    return maxIdle <= 0 ? Long.MAX_VALUE : maxIdle;
  }

  @Override
  public long getTtl() {
    return ttl;
  }

  @Override
  public int getRawTtl() {
    return wholeSecondsUp(ttl);
  }

  @Override
  public long getMaxIdle() {
    return maxIdle;
  }

  @Override
  public int getRawMaxIdle() {
    return wholeSecondsUp(maxIdle);
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
  public long getLastUpdateTime() {
    return lastUpdateTime;
  }

  @Override
  public int getRawLastUpdateTime() {
    return secondsUp(lastUpdateTime);
  }

  @Override
  public void write(ObjectDataOutput out) throws IOException {
    boolean idles = maxIdle != Long.MAX_VALUE;
    int millis = (int) Math.floorMod(expirationTime, MILLIS_PER_SECOND);
    out.writeInt(getRawTtl());
    out.writeInt(idles ? getRawMaxIdle() : -1 - millis);
    out.writeInt(idles ? secondsUp(expirationTime) : stripBaseTime(expirationTime));
    out.writeInt(getRawLastUpdateTime());
  }

  /** Hazelcast reads with a class of its own. */
  @Override
  public void read(ObjectDataInput in) {
    throw new UnsupportedOperationException("read by ExpiryMetadataImpl");
  }

  @Override
  public ExpiryMetadata setTtl(long ttl) {
    throw immutable();
  }

  @Override
  public ExpiryMetadata setRawTtl(int ttl) {
    throw immutable();
  }

  @Override
  public ExpiryMetadata setMaxIdle(long maxIdle) {
    throw immutable();
  }

  @Override
  public ExpiryMetadata setRawMaxIdle(int maxIdle) {
    throw immutable();
  }

  @Override
  public ExpiryMetadata setExpirationTime(long expirationTime) {
    throw immutable();
  }

  @Override
  public ExpiryMetadata setRawExpirationTime(int expirationTime) {
    throw immutable();
  }

  @Override
  public ExpiryMetadata setLastUpdateTime(long lastUpdateTime) {
    throw immutable();
  }

  @Override
  public ExpiryMetadata setRawLastUpdateTime(int lastUpdateTime) {
    throw immutable();
  }

  private static UnsupportedOperationException immutable() {
    return new UnsupportedOperationException("an expiry is changed through the expiry system");
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
