package com.hazelcast.internal.serialization.impl;

import com.hazelcast.internal.nio.BufferObjectDataInput;
import com.hazelcast.internal.serialization.impl.compact.CompactInternalGenericRecord;
import com.hazelcast.internal.serialization.impl.compact.CompactStreamSerializer;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import java.util.List;

/** A record that a query sees no attributes in: it stands for one that is not readable. */
final class NoFields extends CompactInternalGenericRecord {
  private static final Schema SCHEMA = new Schema("unreadable", List.of());

  @SuppressWarnings("NullAway") // it is of no class
  NoFields(CompactStreamSerializer serializer, BufferObjectDataInput in) {
    super(serializer, in, SCHEMA, null, false);
  }
}
