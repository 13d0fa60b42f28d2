package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.Rows.Formats;
import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.types.BinaryValues;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.types.TextReader;
import io.keyvalueserve.postgres.wire.MessageBody;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the parameters and formats of a Bind message. */
final class Binding {
  private Binding() {}

  static Portal read(MessageBody body, Prepared prepared, ZoneId zone) {
    int heapBytes = body.remaining();
    Plan plan = prepared.plan();
    List<PgType> types = plan == null ? List.of() : plan.parameters();
    Formats formats = formats(body);
    int count = body.count(4);
    if (count != types.size()) {
      throw new PostgresException(
          "08P01",
          "bind message supplies "
              + count
              + " parameters, but the prepared statement requires "
              + types.size());
    }
    formats.requireFor(count, "parameters");
    List<@Nullable Object> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] bytes = body.value();
      values.add(bytes == null ? null : value(types.get(i), bytes, formats.isBinary(i), zone));
    }
    Formats results = formats(body);
    body.end();
    results.requireFor(plan == null ? 0 : plan.columns().size(), "columns");
    return new Portal(plan, values, results, heapBytes);
  }

  private static Object value(PgType type, byte[] bytes, boolean isBinary, ZoneId zone) {
    return isBinary
        ? BinaryValues.read(type, bytes)
        : TextReader.read(type, MessageBody.utf8(bytes, 0, bytes.length), zone);
  }

  private static Formats formats(MessageBody body) {
    int count = body.count(2);
    int[] codes = new int[count];
    for (int i = 0; i < count; i++) {
      codes[i] = body.int16();
      if (codes[i] != 0 && codes[i] != 1) {
        throw new PostgresException("08P01", "a format is neither 0 (text) nor 1 (binary)");
      }
    }
    return new Formats(codes);
  }
}
