package io.keyvalueserve.grid.space;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.engine.Outcome.Rejected;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.Element;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
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
  private static final int COLLECTION_INFO = 10;
  private static final int ELEMENTS = 11;
  private static final int INTEGERS = 12;

  private static final int NOTHING = 0;
  private static final int TEXT = 1;
  private static final int WHOLE = 2;
  private static final int REAL = 3;
  private static final int GROUP = 4;

  /** Groups lie in one another no deeper. */
  private static final int DEEPEST = 8;

  /** Room is made for so many elements before they have come. */
  private static final int MOST_PREPARED = 1024;

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
        CollectionType collection = info.collection();
        out.writeByte(collection == null ? INFO : COLLECTION_INFO);
        out.writeInt(info.length());
        out.writeLong(info.expireAtMillis());
        if (collection != null) {
          out.writeByte(collection.code());
        }
      }
      case Outcome.Elements elements -> {
        out.writeByte(ELEMENTS);
        write(out, elements.elements());
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
      case Outcome.Integers integers -> {
        out.writeByte(INTEGERS);
        out.writeLongArray(integers.values());
        out.writeBooleanArray(integers.absent());
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
      case INTEGERS -> new Outcome.Integers(CommandCodec.integers(in), absences(in));
      case REJECTED -> rejected(in.readByte());
      case FAILURE ->
          new Outcome.Failure(
              kind(in.readByte()), CommandCodec.present(in.readString(), "a failure's message"));
      case COLLECTION_INFO ->
          new Outcome.Info(
              in.readInt(),
              in.readLong(),
              CommandCodec.present(CollectionType.ofCode(in.readByte()), "a type of collections"));
      case ELEMENTS -> new Outcome.Elements(elements(in, DEEPEST));
      default -> throw new IOException("no such outcome: code=" + code);
    };
  }

  private static void write(ObjectDataOutput out, List<Element> elements) throws IOException {
    out.writeInt(elements.size());
    for (Element element : elements) {
      switch (element) {
        case Element.Nothing nothing -> out.writeByte(NOTHING);
        case Element.Text text -> {
          out.writeByte(TEXT);
          out.writeByteArray(text.bytes());
        }
        case Element.Whole whole -> {
          out.writeByte(WHOLE);
          out.writeLong(whole.value());
        }
        case Element.Real real -> {
          out.writeByte(REAL);
          out.writeDouble(real.value());
        }
        case Element.Group group -> {
          out.writeByte(GROUP);
          write(out, group.elements());
        }
      }
    }
  }

  private static List<Element> elements(ObjectDataInput in, int depth) throws IOException {
    int count = in.readInt();
    List<Element> elements = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      elements.add(element(in, depth));
    }
    return elements;
  }

  private static Element element(ObjectDataInput in, int depth) throws IOException {
    int code = in.readByte();
    return switch (code) {
      case NOTHING -> Element.Nothing.NOTHING;
      case TEXT -> new Element.Text(CommandCodec.bytes(in));
      case WHOLE -> new Element.Whole(in.readLong());
      case REAL -> new Element.Real(in.readDouble());
      case GROUP -> {
        if (depth == 0) {
          throw new IOException("elements lie too deep in one another");
        }
        yield new Element.Group(elements(in, depth - 1));
      }
      default -> throw new IOException("no such element: code=" + code);
    };
  }

  private static boolean[] absences(ObjectDataInput in) throws IOException {
    int count = CommandCodec.count(in.readInt());
    boolean[] absences = new boolean[Math.min(count, MOST_PREPARED)];
    for (int i = 0; i < count; i++) {
      if (i == absences.length) {
        absences = Arrays.copyOf(absences, (int) Math.min(2L * i, count));
      }
      absences[i] = in.readBoolean();
    }
    return absences;
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
      case ELEMENT_NOT_AN_INTEGER -> 6;
      case ELEMENT_NOT_A_DECIMAL -> 7;
      case INDEX_OUT_OF_RANGE -> 8;
      case NO_SUCH_KEY -> 9;
      case SCORE_NOT_A_NUMBER -> 10;
      case NOT_A_SKETCH -> 11;
      case CORRUPT_SKETCH -> 12;
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
      case 6 -> Rejected.ELEMENT_NOT_AN_INTEGER;
      case 7 -> Rejected.ELEMENT_NOT_A_DECIMAL;
      case 8 -> Rejected.INDEX_OUT_OF_RANGE;
      case 9 -> Rejected.NO_SUCH_KEY;
      case 10 -> Rejected.SCORE_NOT_A_NUMBER;
      case 11 -> Rejected.NOT_A_SKETCH;
      case 12 -> Rejected.CORRUPT_SKETCH;
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
      case FORCED_OFF -> 10;
      case NOT_STORABLE -> 11;
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
      case 10 -> Kind.FORCED_OFF;
      case 11 -> Kind.NOT_STORABLE;
      default -> throw new IOException("no such kind of failure: code=" + code);
    };
  }
}
