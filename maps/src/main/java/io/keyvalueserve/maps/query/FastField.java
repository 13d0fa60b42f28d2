package io.keyvalueserve.maps.query;

import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_PORTABLE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.JAVASCRIPT_JSON_SERIALIZATION_TYPE;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.TYPE_COMPACT;

import io.keyvalueserve.engine.query.Field;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.maps.ScannedPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds an attribute in the bytes of records, as far as their form is known. Thread-safe.
 *
 * <p>What it shows is what Hazelcast's extractors would make an object of. It says {@link
 * Scalar#UNSURE} of all that it does not know exactly: several values, values of a Java class, and
 * whatever is not in memory.
 */
final class FastField {
  private static final int LENGTH_BYTES = Integer.BYTES;

  private final boolean ofKey;
  private final boolean isWhole;
  private final boolean isAnyJson;
  private final @Nullable JsonPath json;
  private final @Nullable CompactField compact;
  private final @Nullable PortableField portable;

  private FastField(
      Field field,
      @Nullable JsonPath json,
      @Nullable CompactField compact,
      @Nullable PortableField portable) {
    this.ofKey = field.ofKey();
    this.isWhole = field.isWhole();
    this.isAnyJson = field.path().startsWith(FieldReader.JSON);
    this.json = json;
    this.compact = compact;
    this.portable = portable;
  }

  /**
   * Returns what finds a field; null if it takes objects.
   *
   * @param schemas where the layouts of values are found
   */
  static @Nullable FastField of(Field field, Schemas schemas) {
    String path = field.path();
    boolean anyJson = path.startsWith(FieldReader.JSON);
    if (!schemas.isReadable() || (!anyJson && schemas.isExtracted(field))) {
      return null;
    }
    if (field.isWhole()) {
      return field.type() == FieldType.JSON ? null : new FastField(field, null, null, null);
    }
    if (anyJson) {
      JsonPath json = JsonPath.of(path.substring(FieldReader.JSON.length()));
      return json.isMultiple() || field.type() == FieldType.DECIMAL
          ? null
          : new FastField(field, json, null, null);
    }
    if (path.indexOf('[') >= 0 || path.endsWith(".") || path.startsWith(".")) {
      return null;
    }
    return new FastField(
        field, JsonPath.of(path), new CompactField(path, schemas), portable(path, schemas));
  }

  private static @Nullable PortableField portable(String path, Schemas schemas) {
    return path.indexOf('.') >= 0 ? null : new PortableField(path, schemas);
  }

  /** Shows the attribute of a readable record. */
  int show(long record, FastRow row, Scalar scalar, JsonReader reader) {
    if (!row.moveTo(record, ofKey)) {
      return Scalar.UNSURE;
    }
    if (isWhole) {
      return row.whole(scalar);
    }
    if (isAnyJson) {
      return anyJson(row, scalar, reader);
    }
    return switch (row.type()) {
      case TYPE_COMPACT -> compact == null ? Scalar.UNSURE : compact.show(row, scalar);
      case JAVASCRIPT_JSON_SERIALIZATION_TYPE ->
          json(row, LENGTH_BYTES + Integer.BYTES, scalar, reader);
      case CONSTANT_TYPE_PORTABLE -> portable == null ? Scalar.UNSURE : portable.show(row, scalar);
      default -> Scalar.UNSURE;
    };
  }

  private int anyJson(FastRow row, Scalar scalar, JsonReader reader) {
    if (row.form() == ScannedPartition.STRING || row.form() == ScannedPartition.BYTES) {
      return json(row, 0, scalar, reader);
    }
    return row.type() == JAVASCRIPT_JSON_SERIALIZATION_TYPE
        ? json(row, LENGTH_BYTES + Integer.BYTES, scalar, reader)
        : scalar.ofNull();
  }

  private int json(FastRow row, int from, Scalar scalar, JsonReader reader) {
    if (json == null || row.body() - Integer.BYTES + from > row.end()) {
      return Scalar.UNSURE;
    }
    int bytes = row.copyTo(from);
    reader.over(row.copy(), 0, bytes);
    if (json.seek(reader)) {
      return reader.show(scalar);
    }
    return reader.peek() == '}' ? scalar.ofNull() : Scalar.UNSURE; // or it is malformed
  }
}
