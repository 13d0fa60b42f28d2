package io.keyvalueserve.engine;

import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.tenancy.grant.MapAccess;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The direct operations on a map of another tenant. It declines what is not granted; the map's
 * other path then words the refusal. Allocates nothing more than the map behind it.
 */
final class GrantedDirectMap implements DirectMap {
  private final DirectMap map;
  private final MapAccess access;
  private final GrantedKeyMap guard;

  GrantedDirectMap(DirectMap map, MapAccess access, GrantedKeyMap guard) {
    this.map = map;
    this.access = access;
    this.guard = guard;
  }

  @Override
  public void anticipate(KeyRanges keys) {
    map.anticipate(keys);
  }

  @Override
  public int read(byte[] bytes, int keyOffset, int keyLength, ValueSink sink) {
    return access.allows(Rights.READ, bytes, keyOffset, keyLength)
        ? map.read(bytes, keyOffset, keyLength, sink)
        : NOT_NOW;
  }

  @Override
  public long stamp() {
    return map.stamp();
  }

  @Override
  public int length(byte[] bytes, int keyOffset, int keyLength) {
    return access.allows(Rights.READ, bytes, keyOffset, keyLength)
        ? map.length(bytes, keyOffset, keyLength)
        : NOT_NOW;
  }

  @Override
  public long expireAt(byte[] bytes, int keyOffset, int keyLength) {
    return access.allows(Rights.READ, bytes, keyOffset, keyLength)
        ? map.expireAt(bytes, keyOffset, keyLength)
        : NOT_NOW;
  }

  @Override
  public boolean write(
      byte[] bytes,
      int keyOffset,
      int keyLength,
      int valueOffset,
      int valueLength,
      long expireAtMillis) {
    return access.allows(Rights.WRITE, bytes, keyOffset, keyLength)
        && map.write(bytes, keyOffset, keyLength, valueOffset, valueLength, expireAtMillis);
  }

  @Override
  public @Nullable StagedValue stage(byte[] key, int valueLength, boolean expires) {
    return access.allows(Rights.WRITE, key, 0, key.length)
        ? map.stage(key, valueLength, expires)
        : null;
  }

  @Override
  public boolean write(byte[] key, StagedValue value, long expireAtMillis) {
    return access.allows(Rights.WRITE, key, 0, key.length) && map.write(key, value, expireAtMillis);
  }

  @Override
  public @Nullable CompletionStage<StagedValue> prepare(
      byte[] key, StagedValue value, long expireAtMillis) {
    return access.allows(Rights.WRITE, key, 0, key.length)
        ? map.prepare(key, value, expireAtMillis)
        : null;
  }

  /**
   * Lists keys if all may be read. Otherwise it declines, as not even the positions of keys may be
   * told.
   */
  @Override
  public long scan(long cursor, int count, KeySink sink) {
    return access.allowsAll(Rights.READ) ? map.scan(cursor, count, sink) : NOT_NOW;
  }

  @Override
  public @Nullable Outcome execute(KeyCommand command) {
    Failure refusal = guard.refusal(command);
    return refusal == null ? map.execute(command) : refusal;
  }
}
