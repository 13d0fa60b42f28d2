package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.expr.Casts;
import io.keyvalueserve.sql.expr.Values;
import io.keyvalueserve.sql.failure.SqlFailure;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Values of other types that are looked for among those of one type. */
public final class KeyValues {
  private KeyValues() {}

  /**
   * Returns the value of a type that is equal to another value; null if there is none, or the other
   * one is null.
   */
  public static @Nullable Object of(@Nullable Object value, FieldType type, ZoneId zone) {
    if (value == null) {
      return null;
    }
    try {
      Object cast = Casts.cast(value, type, zone);
      return cast != null && Values.compare(cast, value) == 0 ? cast : null;
    } catch (SqlFailure e) {
      return null;
    }
  }
}
