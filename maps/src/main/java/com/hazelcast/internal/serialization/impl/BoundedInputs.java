package com.hazelcast.internal.serialization.impl;

import com.hazelcast.internal.nio.BufferObjectDataInput;
import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InputOutputFactory;
import com.hazelcast.internal.serialization.InternalSerializationService;
import java.nio.ByteOrder;

/** Makes inputs that are bounded; outputs are Hazelcast's own. */
final class BoundedInputs implements InputOutputFactory {
  private final InputOutputFactory outputs = new ByteArrayInputOutputFactory(ByteOrder.BIG_ENDIAN);

  @Override
  public BufferObjectDataInput createInput(
      Data data, InternalSerializationService service, boolean isCompatibility) {
    return createInput(data.toByteArray(), HeapData.DATA_OFFSET, service, isCompatibility);
  }

  @Override
  public BufferObjectDataInput createInput(
      byte[] buffer, InternalSerializationService service, boolean isCompatibility) {
    return createInput(buffer, 0, service, isCompatibility);
  }

  @Override
  public BufferObjectDataInput createInput(
      byte[] buffer, int offset, InternalSerializationService service, boolean isCompatibility) {
    return new BoundedInput(buffer, offset, service, getByteOrder(), isCompatibility);
  }

  @Override
  public BufferObjectDataOutput createOutput(int size, InternalSerializationService service) {
    return outputs.createOutput(size, service);
  }

  @Override
  public BufferObjectDataOutput createOutput(
      int initialSize, int firstGrowthSize, InternalSerializationService service) {
    return outputs.createOutput(initialSize, firstGrowthSize, service);
  }

  @Override
  public ByteOrder getByteOrder() {
    return ByteOrder.BIG_ENDIAN;
  }
}
