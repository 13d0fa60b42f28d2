package io.keyvalueserve.grid.space;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.engine.Outcome.Rejected;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Outcomes between members: a byte that says which, then its parts in the record's order. */
final class OutcomeCodec {
  private static final int MISSING = 1;
  private static final int ENTRY = 2;
  private static final int INFO = 3;
  private static final int APPLIED = 4;
  private static final int NOT_APPLIED = 5;
  private static final int INTEGER = 6;
  private static final int DECIMAL = 7;
  private static final int REJECTED = 8;
  private static final int FAILURE = 9;

  private OutcomeCodec() {}

  static void write(ObjectDataOutput out, Outcome outcome) throws IOException {
    switch (outcome) {
      case Outcome.Missing missing -> out.writeByte(MISSING);
      case Outcome.Entry entry -> {
        out.writeByte(ENTRY);
        out.writeByteArray(entry.value());
        out.writeLong(entry.expireAtMillis());
      }
      case Outcome.Info info -> {
        out.writeByte(INFO);
        out.writeInt(info.length());
        out.writeLong(info.expireAtMillis());
      }
      case Outcome.Applied applied -> {
        out.writeByte(APPLIED);
        out.writeByteArray(applied.previous());
      }
      case Outcome.NotApplied notApplied -> {
        out.writeByte(NOT_APPLIED);
        out.writeByteArray(notApplied.previous());
      }
      case Outcome.IntegerResult result -> {
        out.writeByte(INTEGER);
        out.writeLong(result.value());
      }
      case Outcome.DecimalResult result -> {
        out.writeByte(DECIMAL);
        out.writeString(result.value());
      }
      case Rejected rejected -> {
        out.writeByte(REJECTED);
        out.writeByte(code(rejected));
      }
      case Outcome.Failure failure -> {
        out.writeByte(FAILURE);
        out.writeByte(code(failure.kind()));
        out.writeString(failure.message());
      }
    }
  }

  static Outcome read(ObjectDataInput in) throws IOException {
    int code = in.readByte();
    return switch (code) {
      case MISSING -> Outcome.Missing.MISSING;
      case ENTRY -> new Outcome.Entry(CommandCodec.bytes(in), in.readLong());
      case INFO -> new Outcome.Info(in.readInt(), in.readLong());
      case APPLIED -> applied(in.readByteArray());
      case NOT_APPLIED -> notApplied(in.readByteArray());
      case INTEGER -> new Outcome.IntegerResult(in.readLong());
      case DECIMAL ->
          new Outcome.DecimalResult(CommandCodec.present(in.readString(), "a decimal's text"));
      case REJECTED -> rejected(in.readByte());
      case FAILURE ->
          new Outcome.Failure(
              kind(in.readByte()), CommandCodec.present(in.readString(), "a failure's message"));
      default -> throw new IOException("no such outcome: code=" + code);
    };
  }

  private static Outcome applied(byte @Nullable [] previous) {
    return previous == null ? Outcome.Applied.WITHOUT_PREVIOUS : new Outcome.Applied(previous);
  }

  private static Outcome notApplied(byte @Nullable [] previous) {
    return previous == null
        ? Outcome.NotApplied.WITHOUT_PREVIOUS
        : new Outcome.NotApplied(previous);
  }

  private static int code(Rejected rejected) {
    return switch (rejected) {
      case WRONG_TYPE -> 0;
      case NOT_AN_INTEGER -> 1;
      case NOT_A_DECIMAL -> 2;
      case OVERFLOW -> 3;
      case NOT_FINITE -> 4;
      case TOO_LONG -> 5;
    };
  }

  private static Rejected rejected(int code) throws IOException {
    return switch (code) {
      case 0 -> Rejected.WRONG_TYPE;
      case 1 -> Rejected.NOT_AN_INTEGER;
      case 2 -> Rejected.NOT_A_DECIMAL;
      case 3 -> Rejected.OVERFLOW;
      case 4 -> Rejected.NOT_FINITE;
      case 5 -> Rejected.TOO_LONG;
      default -> throw new IOException("no such rejection: code=" + code);
    };
  }

  private static int code(Kind kind) {
    return switch (kind) {
      case UNAVAILABLE -> 0;
      case TIMEOUT -> 1;
      case INTERNAL -> 2;
      case FULL -> 3;
      case NOT_LOGGED -> 4;
      case LOADING -> 5;
      case REFUSED -> 6;
      case QUOTA -> 7;
      case IN_DOUBT -> 8;
      case TOO_COSTLY -> 9;
    };
  }

  private static Kind kind(int code) throws IOException {
    return switch (code) {
      case 0 -> Kind.UNAVAILABLE;
      case 1 -> Kind.TIMEOUT;
      case 2 -> Kind.INTERNAL;
      case 3 -> Kind.FULL;
      case 4 -> Kind.NOT_LOGGED;
      case 5 -> Kind.LOADING;
      case 6 -> Kind.REFUSED;
      case 7 -> Kind.QUOTA;
      case 8 -> Kind.IN_DOUBT;
      case 9 -> Kind.TOO_COSTLY;
      default -> throw new IOException("no such kind of failure: code=" + code);
    };
  }
}
