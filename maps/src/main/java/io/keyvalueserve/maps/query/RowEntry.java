package io.keyvalueserve.maps.query;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.query.impl.QueryableEntry;
import org.jspecify.annotations.Nullable;

/**
 * A row as Hazelcast's aggregators and projections take it: attributes come from its bytes, where
 * these tell them. Moves with its row; one thread.
 */
@SuppressWarnings({
  "rawtypes",
  "NullAway"
}) // as Hazelcast's own, whose values are null without a word
final class RowEntry extends QueryableEntry {
  private final RowView row;
  private final Schemas schemas;
  private boolean valueMatters;

  RowEntry(RowView row, Schemas schemas) {
    this.row = row;
    this.schemas = schemas;
  }

  RowEntry withValue(boolean matters) {
    valueMatters = matters;
    return this;
  }

  @Override
  public @Nullable Object getAttributeValue(String attribute) {
    FastField field = schemas.field(attribute);
    if (field != null) {
      FastTest.Scratch scratch = row.scratch();
      int answer = field.show(row.record(), scratch.row, scratch.object, scratch.json);
      Object value = scratch.object.value();
      // An object that is not there on the way to an attribute is told apart from a null.
      if (answer != Scalar.UNSURE && (value != null || attribute.indexOf('.') < 0)) {
        return value;
      }
    }
    return row.entry().getAttributeValue(attribute);
  }

  @Override
  public @Nullable Object getKey() {
    return row.entry().getKey();
  }

  @Override
  public @Nullable Object getValue() {
    return valueMatters ? row.entry().getValue() : null;
  }

  @Override
  public Object setValue(Object value) {
    throw new UnsupportedOperationException("a row of a query cannot be changed");
  }

  @Override
  public Data getKeyData() {
    return row.key();
  }

  @Override
  public @Nullable Data getValueData() {
    return row.value();
  }

  @Override
  public @Nullable Object getKeyIfPresent() {
    return null;
  }

  @Override
  public Data getKeyDataIfPresent() {
    return row.key();
  }

  @Override
  public @Nullable Object getValueIfPresent() {
    return null;
  }

  @Override
  public @Nullable Data getValueDataIfPresent() {
    return row.value();
  }

  @Override
  protected Object getTargetObject(boolean key) {
    throw new UnsupportedOperationException("attributes are taken from bytes");
  }
}
