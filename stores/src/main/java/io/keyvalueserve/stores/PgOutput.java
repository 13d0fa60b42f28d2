package io.keyvalueserve.stores;

import io.keyvalueserve.stores.StoreException.Kind;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of PostgreSQL's plugin {@code pgoutput}, version 1. Takes no more memory than
 * a few times the bytes of the message: each count is checked against the bytes that are left.
 */
final class PgOutput {
  /** Milliseconds from 1970 to 2000, where the server's clock begins. */
  private static final long EPOCH_MILLIS = 946_684_800_000L;

  private static final int MICROS_A_MILLI = 1_000;

  /** The fewest bytes of a column in a message: its kind in a row; flags, name and types else. */
  private static final int LEAST_CELL = 1;

  private static final int LEAST_COLUMN = 1 + 1 + 2 * Integer.BYTES;

  private final ByteBuffer bytes;

  private PgOutput(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** A message. */
  sealed interface Message {}

  /** The begin of a transaction that was committed. */
  record Begin() implements Message {}

  /**
   * The end of a transaction.
   *
   * @param end the position behind it
   * @param millis when it was committed, in milliseconds since 1970
   */
  record Commit(long end, long millis) implements Message {}

  /** A table as the next messages have it. */
  record Relation(int id, List<Column> columns) implements Message {}

  /** A column of a table, with the number of its type. */
  record Column(String name, int type) {}

  /** A new row. */
  record Insert(int relation, List<Cell> row) implements Message {}

  /**
   * A row that is another now.
   *
   * @param before the row as it was, or its key alone; null if its key is the same
   */
  record Update(int relation, @Nullable List<Cell> before, List<Cell> row) implements Message {}

  /** A row that is no more; it may have its key alone. */
  record Delete(int relation, List<Cell> before) implements Message {}

  /** Tables of which all rows are no more. */
  record Truncate(List<Integer> relations) implements Message {}

  /** A message that says nothing of rows. */
  record Other() implements Message {}

  /** A value of a row. */
  sealed interface Cell {}

  /** A value that is not there. */
  enum Absent implements Cell {
    /** NULL. */
    NULL,
    /** The value from before, which is long and was not sent again. */
    UNCHANGED
  }

  /** A value as the server writes it. */
  record Text(String text) implements Cell {}

  /**
   * Reads one message.
   *
   * @throws StoreException if the bytes are none
   */
  static Message read(ByteBuffer bytes) {
    try {
      return new PgOutput(bytes).message();
    } catch (BufferUnderflowException e) {
      throw damaged();
    }
  }

  private static StoreException damaged() {
    return new StoreException(
        Kind.UNAVAILABLE, "the database has sent something that is no change of a row", null);
  }

  private Message message() {
    return switch (bytes.get()) {
      case 'B' -> new Begin();
      case 'C' -> commit();
      case 'R' -> relation();
      case 'I' -> insert();
      case 'U' -> update();
      case 'D' -> delete();
      case 'T' -> truncate();
      case 'O', 'Y', 'M' -> new Other();
      default -> throw damaged();
    };
  }

  private Commit commit() {
    byte _ = bytes.get(); // flags
    long _ = bytes.getLong(); // the position before it
    long end = bytes.getLong();
    return new Commit(end, EPOCH_MILLIS + bytes.getLong() / MICROS_A_MILLI);
  }

  private Relation relation() {
    int id = bytes.getInt();
    String _ = string(); // schema
    String _ = string(); // table
    byte _ = bytes.get(); // replica identity
    int count = count(Short.toUnsignedInt(bytes.getShort()), LEAST_COLUMN);
    List<Column> columns = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte _ = bytes.get(); // flags
      String name = string();
      columns.add(new Column(name, bytes.getInt()));
      int _ = bytes.getInt(); // modifier of the type
    }
    return new Relation(id, columns);
  }

  private Insert insert() {
    int relation = bytes.getInt();
    expect('N');
    return new Insert(relation, row());
  }

  private Update update() {
    int relation = bytes.getInt();
    byte kind = bytes.get();
    if (kind == 'N') {
      return new Update(relation, null, row());
    }
    List<Cell> before = before(kind);
    expect('N');
    return new Update(relation, before, row());
  }

  private Delete delete() {
    int relation = bytes.getInt();
    return new Delete(relation, before(bytes.get()));
  }

  private List<Cell> before(byte kind) {
    if (kind != 'K' && kind != 'O') {
      throw damaged();
    }
    return row();
  }

  private Truncate truncate() {
    int count = bytes.getInt();
    byte _ = bytes.get(); // options
    List<Integer> relations = new ArrayList<>(count(count, Integer.BYTES));
    for (int i = 0; i < count; i++) {
      relations.add(bytes.getInt());
    }
    return new Truncate(relations);
  }

  private List<Cell> row() {
    int count = count(Short.toUnsignedInt(bytes.getShort()), LEAST_CELL);
    List<Cell> cells = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      cells.add(cell());
    }
    return cells;
  }

  private Cell cell() {
    return switch (bytes.get()) {
      case 'n' -> Absent.NULL;
      case 'u' -> Absent.UNCHANGED;
      case 't' -> new Text(text(count(bytes.getInt(), 1)));
      default -> throw damaged();
    };
  }

  private void expect(char kind) {
    if (bytes.get() != kind) {
      throw damaged();
    }
  }

  /** Checks that so many things can be in the bytes that are left. */
  private int count(int count, int leastBytes) {
    if (count < 0 || (long) count * leastBytes > bytes.remaining()) {
      throw damaged();
    }
    return count;
  }

  private String string() {
    int length = 0;
    while (bytes.get(bytesAt(length)) != 0) {
      length++;
    }
    String text = text(length);
    byte _ = bytes.get();
    return text;
  }

  private int bytesAt(int offset) {
    if (offset >= bytes.remaining()) {
      throw damaged();
    }
    return bytes.position() + offset;
  }

  private String text(int length) {
    byte[] text = new byte[length];
    bytes.get(text);
    String decoded = Texts.decoded(text);
    if (decoded == null) {
      throw damaged();
    }
    return decoded;
  }
}
