package com.hazelcast.internal.serialization.impl;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteOrder;

/**
 * An input that takes no memory for more elements than it has bytes, and knows whose its bytes are.
 */
@SuppressWarnings({"unchecked", "NullAway"}) // as Hazelcast's own
final class BoundedInput extends ByteArrayObjectDataInput {
  private boolean tenants;
  private boolean passedOver;

  @SuppressWarnings("NullAway") // Hazelcast's own pool makes inputs without bytes
  BoundedInput(
      byte[] bytes,
      int offset,
      InternalSerializationService service,
      ByteOrder byteOrder,
      boolean isCompatibility) {
    super(bytes, offset, service, byteOrder, isCompatibility);
  }

  /** Returns whether the bytes belong to a tenant. */
  boolean isTenants() {
    return tenants;
  }

  void markTenants() {
    tenants = true;
  }

  /**
   * Returns whether the bytes are to be skipped without making an object of them or reporting an
   * error.
   */
  boolean isPassedOver() {
    return passedOver;
  }

  void markPassedOver() {
    passedOver = true;
  }

  @Override
  public void clear() {
    super.clear();
    tenants = false;
    passedOver = false;
  }

  private void checkElements(int bytesOfEach) throws EOFException {
    int count = readInt(position());
    if ((long) count * bytesOfEach > available() - Integer.BYTES) {
      throw new HazelcastSerializationException(
          "a value names more elements than it has bytes: elements=" + count);
    }
  }

  @Override
  public byte[] readByteArray() throws IOException {
    checkElements(1);
    return super.readByteArray();
  }

  @Override
  public boolean[] readBooleanArray() throws EOFException {
    checkElements(1);
    return super.readBooleanArray();
  }

  @Override
  public char[] readCharArray() throws EOFException {
    checkElements(Character.BYTES);
    return super.readCharArray();
  }

  @Override
  public int[] readIntArray() throws EOFException {
    checkElements(Integer.BYTES);
    return super.readIntArray();
  }

  @Override
  public long[] readLongArray() throws EOFException {
    checkElements(Long.BYTES);
    return super.readLongArray();
  }

  @Override
  public double[] readDoubleArray() throws EOFException {
    checkElements(Double.BYTES);
    return super.readDoubleArray();
  }

  @Override
  public float[] readFloatArray() throws EOFException {
    checkElements(Float.BYTES);
    return super.readFloatArray();
  }

  @Override
  public short[] readShortArray() throws EOFException {
    checkElements(Short.BYTES);
    return super.readShortArray();
  }

  @Override
  public String[] readStringArray() throws IOException {
    checkElements(Integer.BYTES);
    return super.readStringArray();
  }
}
