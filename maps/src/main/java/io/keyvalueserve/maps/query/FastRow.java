package io.keyvalueserve.maps.query;

import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BOOLEAN;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BYTE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_DOUBLE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_FLOAT;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_INTEGER;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_LONG;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_SHORT;

import io.keyvalueserve.maps.ScannedPartition;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.store.Records;

/**
 * The bytes of a readable record's key or value, as a field looks for its attribute there. Moves
 * from record to record, and makes nothing. One thread.
 */
final class FastRow {
  /** The type of what is text or bytes alone, and of what is not in memory. */
  static final int NO_TYPE = 0;

  private static final int FIRST_BYTES = 1 << 10;

  private long record;
  private boolean ofKey;
  private long address;
  private int length;
  private int form;
  private byte[] copy = {};

  /** Moves to the key or value of a record. Returns whether it is in memory. */
  boolean moveTo(long to, boolean key) {
    record = to;
    ofKey = key;
    if (key) {
      address = Records.keyAddress(to);
      length = Records.keyLength(to);
      form = Records.keyForm(to);
      return true;
    }
    if (Records.isSpilled(to)) {
      return false;
    }
    address = Records.valueAddress(to);
    length = Records.valueLength(to);
    form = Records.valueForm(to);
    return true;
  }

  long record() {
    return record;
  }

  boolean isOfKey() {
    return ofKey;
  }

  /** Returns the address of the first byte behind the type; the type is at {@code -4}. */
  long body() {
    return address + Integer.BYTES;
  }

  /** Returns the address behind the last byte. */
  long end() {
    return address + length;
  }

  boolean isRaw() {
    return form == ScannedPartition.RAW && length >= Integer.BYTES;
  }

  /** Returns the type of what is serialized, as a number of Hazelcast's serializers. */
  int type() {
    return isRaw() ? getInt(address) : NO_TYPE;
  }

  /** Shows the whole key or value. */
  int whole(Scalar scalar) {
    if (form == ScannedPartition.STRING) {
      return scalar.ofText(address, length);
    }
    if (form == ScannedPartition.NULL) {
      return scalar.ofNull();
    }
    long at = body();
    long bytes = end() - at;
    return switch (type()) {
      case CONSTANT_TYPE_INTEGER ->
          bytes < Integer.BYTES ? Scalar.UNSURE : scalar.ofWhole(getInt(at), Scalar.INT);
      case CONSTANT_TYPE_LONG ->
          bytes < Long.BYTES ? Scalar.UNSURE : scalar.ofWhole(getLong(at), Scalar.LONG);
      case CONSTANT_TYPE_SHORT ->
          bytes < Short.BYTES ? Scalar.UNSURE : scalar.ofWhole(getShort(at), Scalar.SHORT);
      case CONSTANT_TYPE_BYTE ->
          bytes < Byte.BYTES ? Scalar.UNSURE : scalar.ofWhole(Memory.getByte(at), Scalar.BYTE);
      case CONSTANT_TYPE_DOUBLE ->
          bytes < Double.BYTES
              ? Scalar.UNSURE
              : scalar.ofFraction(Double.longBitsToDouble(getLong(at)), Scalar.DOUBLE);
      case CONSTANT_TYPE_FLOAT ->
          bytes < Float.BYTES
              ? Scalar.UNSURE
              : scalar.ofFraction(Float.intBitsToFloat(getInt(at)), Scalar.FLOAT);
      case CONSTANT_TYPE_BOOLEAN ->
          bytes < Byte.BYTES ? Scalar.UNSURE : scalar.ofBoolean(Memory.getByte(at) != 0);
      default -> Scalar.UNSURE;
    };
  }

  /** Returns the form, of those in {@link ScannedPartition}. */
  int form() {
    return form;
  }

  /** Copies all bytes to an array that is good until the next copy. Returns how many they are. */
  int copyTo(int from) {
    int bytes = length - from;
    if (copy.length < bytes) {
      copy = new byte[Math.max(FIRST_BYTES, Math.max(bytes, 2 * copy.length))];
    }
    Memory.copy(address + from, copy, 0, bytes);
    return bytes;
  }

  byte[] copy() {
    return copy;
  }

  // ---- numbers, big-endian, at any address of the record

  static short getShort(long address) {
    return (short) ((Memory.getByte(address) << 8) | (Memory.getByte(address + 1) & 0xFF));
  }

  static int getInt(long address) {
    return Integer.reverseBytes(Memory.getInt(address));
  }

  static long getLong(long address) {
    return Long.reverseBytes(Memory.getLong(address));
  }
}
