package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.plan.ResultColumn;
import io.keyvalueserve.postgres.types.BinaryValues;
import io.keyvalueserve.postgres.types.TextValues;
import io.keyvalueserve.postgres.wire.MessageWriter;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rows, and what their columns are. */
final class Rows {
  private static final int BINARY = 1;

  private Rows() {}

  /** The formats of columns or parameters: none for text, one for all, or one for each. */
  record Formats(int[] codes) {
    static final Formats TEXT = new Formats(new int[0]);

    boolean isBinary(int index) {
      return codes.length == 1
          ? codes[0] == BINARY
          : index < codes.length && codes[index] == BINARY;
    }

    /** Fails unless there are none, one, or as many as there are columns. */
    void requireFor(int count, String what) {
      if (codes.length > 1 && codes.length != count) {
        throw new PostgresException(
            "08P01",
            "there are "
                + codes.length
                + " formats for "
                + count
                + " "
                + what
                + ": give none, one, or one for each");
      }
    }
  }

  static void describe(MessageWriter out, List<ResultColumn> columns, Formats formats) {
    if (columns.isEmpty()) {
      out.begin('n').end();
      return;
    }
    out.begin('T').int16(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      ResultColumn column = columns.get(i);
      out.text(column.name())
          .int32(0)
          .int16(0)
          .int32(column.type().oid())
          .int16(column.type().length())
          .int32(-1)
          .int16(formats.isBinary(i) ? 1 : 0);
    }
    out.end();
  }

  static void write(
      MessageWriter out,
      List<ResultColumn> columns,
      Formats formats,
      @Nullable Object[] row,
      ZoneId zone) {
    out.begin('D').int16(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      Object value = row[i];
      if (value == null) {
        out.int32(-1);
      } else if (formats.isBinary(i)) {
        int begin = out.beginValue();
        BinaryValues.write(out, columns.get(i).type(), value, zone);
        out.endValue(begin);
      } else {
        out.value(TextValues.of(value, zone));
      }
    }
    out.end();
  }
}
