package com.hazelcast.internal.serialization.impl;

import com.hazelcast.internal.nio.BufferObjectDataInput;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.bufferpool.BufferPoolImpl;
import io.keyvalueserve.maps.readable.ReadableTypes;
import io.keyvalueserve.maps.readable.Unreadable;
import io.keyvalueserve.maps.readable.UnreadableException;
import io.keyvalueserve.maps.readable.ValueCheck;

/**
 * The buffers that a thread reads values from: each value passes here before an object is made of
 * it, and is checked if it is not one that members alone send.
 */
final class CheckedBuffers extends BufferPoolImpl {
  private static final int FLAGS_OFFSET = HeapData.DATA_OFFSET;
  private static final int FACTORY_OFFSET = FLAGS_OFFSET + 1;

  private final ReadableTypes types;
  private final ValueCheck.Records records;
  private final LenientReading lenient;

  CheckedBuffers(
      InternalSerializationService service,
      ReadableTypes types,
      ValueCheck.Records records,
      LenientReading lenient) {
    super(service);
    this.types = types;
    this.records = records;
    this.lenient = lenient;
  }

  @Override
  public BufferObjectDataInput takeInputBuffer(Data data) {
    if (data instanceof Packet || isMembers(data)) {
      return super.takeInputBuffer(data);
    }
    byte[] bytes = data.toByteArray();
    boolean passedOver = false;
    try {
      ValueCheck.check(types, records, bytes, 0, bytes.length);
    } catch (UnreadableException e) {
      if (!lenient.isOn()) {
        throw e;
      }
      Unreadable.passedOver(e);
      passedOver = true;
    }
    BufferObjectDataInput in = super.takeInputBuffer(data);
    if (in instanceof BoundedInput bounded) {
      bounded.markTenants();
      if (passedOver) {
        bounded.markPassedOver();
      }
    }
    return in;
  }

  /**
   * Returns whether a value is an object of a class that only members use: events, factories of
   * operations. The doors refuse such objects from tenants.
   */
  private boolean isMembers(Data data) {
    if (data.getType() != SerializationConstants.CONSTANT_TYPE_DATA_SERIALIZABLE) {
      return false;
    }
    byte[] bytes = data.toByteArray();
    if (bytes.length < FACTORY_OFFSET + Integer.BYTES
        || !DataSerializableHeader.isIdentifiedDataSerializable(bytes[FLAGS_OFFSET])) {
      return false;
    }
    int factory =
        (bytes[FACTORY_OFFSET] << 24)
            | (bytes[FACTORY_OFFSET + 1] & 0xff) << 16
            | (bytes[FACTORY_OFFSET + 2] & 0xff) << 8
            | (bytes[FACTORY_OFFSET + 3] & 0xff);
    return !ReadableTypes.isPublicFactory(factory) && !types.isOperatorsFactory(factory);
  }
}
