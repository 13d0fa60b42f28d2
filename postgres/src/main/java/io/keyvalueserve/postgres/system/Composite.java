package io.keyvalueserve.postgres.system;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row as a value.
 *
 * @param names of its fields
 */
record Composite(List<String> names, List<@Nullable Object> values) {
  Composite {
    values = Collections.unmodifiableList(values);
  }

  /** Returns the value of a field; null if there is none of the name. */
  @Nullable Object field(String name) {
    int index = names.indexOf(name);
    return index < 0 ? null : values.get(index);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("(");
    for (Object value : values) {
      if (text.length() > 1) {
        text.append(',');
      }
      text.append(value == null ? "" : Datum.text(value));
    }
    return text.append(')').toString();
  }
}
