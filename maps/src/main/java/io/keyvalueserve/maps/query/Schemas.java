package io.keyvalueserve.maps.query;

import com.hazelcast.config.AttributeConfig;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.AbstractSerializationService;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.nio.serialization.ClassDefinition;
import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.maps.NativeMapContainer;
import io.keyvalueserve.maps.predicate.PredicateConditions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where the layouts of a map's values are found. Thread-safe. May wait for other members. */
final class Schemas {
  private final AbstractSerializationService service;
  private final Set<String> extracted;

  private final Map<String, Optional<FastField>> fields = new ConcurrentHashMap<>();

  /**
   * @param extracted the attributes that extractors of the operator make
   */
  Schemas(InternalSerializationService service, Set<String> extracted) {
    this.service = (AbstractSerializationService) service;
    this.extracted = extracted;
  }

  /** Returns those of a map. */
  static Schemas of(NativeMapContainer container, InternalSerializationService service) {
    return new Schemas(
        service,
        container.getMapConfig().getAttributeConfigs().stream()
            .map(AttributeConfig::getName)
            .collect(Collectors.toSet()));
  }

  /** Returns what finds an attribute of Hazelcast's in bytes; null if it takes objects. */
  @Nullable FastField field(String attribute) {
    return fields
        .computeIfAbsent(
            attribute,
            name ->
                Optional.ofNullable(PredicateConditions.field(name))
                    .map(field -> FastField.of(field, this)))
        .orElse(null);
  }

  /** Returns whether numbers lie in memory in the order that is known here. */
  boolean isReadable() {
    return service.getByteOrder() == ByteOrder.BIG_ENDIAN;
  }

  /** Returns whether a field is what an extractor of the operator makes of a value. */
  boolean isExtracted(Field field) {
    return extracted.contains(field.path());
  }

  /** Returns the schema of Compact records with an id; null if there is none. */
  @Nullable Schema compact(long id) {
    ByteBuffer head = ByteBuffer.allocate(HeapData.DATA_OFFSET + Long.BYTES);
    head.putInt(HeapData.TYPE_OFFSET, SerializationConstants.TYPE_COMPACT);
    head.putLong(HeapData.DATA_OFFSET, id);
    try {
      return service.extractSchemaFromData(new HeapData(head.array()));
    } catch (RuntimeException | IOException e) { // whoever makes an object meets the same
      return null;
    }
  }

  /** Returns the definition of a Portable class; null if it is not known here. */
  @SuppressWarnings("removal") // still there, and still what clients use
  @Nullable ClassDefinition portable(int factory, int type, int version) {
    int effective = version < 0 ? service.getPortableContext().getVersion() : version;
    return service.getPortableContext().lookupClassDefinition(factory, type, effective);
  }
}
