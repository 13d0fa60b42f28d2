package io.keyvalueserve.maps.readable;

import com.hazelcast.internal.serialization.impl.SerializationConstants;
import org.jspecify.annotations.Nullable;

/**
 * Holds serialized bytes against the allow-list, and makes no object of them.
 *
 * <p>It walks what Hazelcast's serialization would read: every value within a value, and every
 * length, before memory is taken for it. It ends early where it cannot know what follows: at an
 * object that the operator's code reads. What is read behind that is checked when it is read.
 *
 * <p>Costs time in proportion to the bytes, and no memory but for Java's own serialization. For one
 * thread.
 */
public final class ValueCheck {
  /** 4 bytes partition hash, 4 bytes type. */
  private static final int TYPE_OFFSET = 4;

  private static final byte IDENTIFIED = 1;
  private static final byte VERSIONED = 2;
  private static final int NULL_LENGTH = -1;

  /** Reads the records of Compact and Portable, whose shape is not in their bytes alone. */
  public interface Records {
    /**
     * Checks a record.
     *
     * @param type Compact or Portable, as a type of serialization
     * @param position behind the type
     * @return the position behind the record
     * @throws UnreadableException if it is not to be read
     */
    int end(int type, byte[] bytes, int position, int end);
  }

  private final ReadableTypes types;
  private final @Nullable Records records;
  private final ByteCursor in;
  private int depth;

  private ValueCheck(ReadableTypes types, @Nullable Records records, ByteCursor in) {
    this.types = types;
    this.records = records;
    this.in = in;
  }

  /**
   * Checks a serialized value: partition hash, type, and what follows.
   *
   * @param records checks records of Compact and Portable; null to leave them, and all that follows
   *     one within a collection, to who reads them
   * @throws UnreadableException if no object is to be made of it; the message says why
   */
  public static void check(
      ReadableTypes types, @Nullable Records records, byte[] bytes, int offset, int length) {
    if (length < TYPE_OFFSET + Integer.BYTES) {
      return; // null
    }
    ByteCursor in = new ByteCursor(bytes, offset + TYPE_OFFSET, offset + length);
    try {
      new ValueCheck(types, records, in).object();
    } catch (OpaqueException _) {
      // whoever reads it checks what it reads
    }
  }

  /** The rest cannot be walked. */
  private static final class OpaqueException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private OpaqueException() {
      super(null, null, false, false);
    }
  }

  private void object() {
    if (++depth > ReadableTypes.MOST_DEPTH) {
      throw new UnreadableException(
          "a value has more than " + ReadableTypes.MOST_DEPTH + " values within each other");
    }
    value(in.int32());
    depth--;
  }

  private void objects(long count) {
    if (count < 0 || count * Integer.BYTES > in.left()) {
      throw new UnreadableException(
          "a value names more elements than it has bytes: elements=" + count);
    }
    for (long i = 0; i < count; i++) {
      object();
    }
  }

  /** Each element is compared with all, or all are copied for each. */
  private void copied(int count) {
    if (count > ReadableTypes.MOST_COMPARED) {
      throw new UnreadableException(
          "a collection that is copied for each element has more than "
              + ReadableTypes.MOST_COMPARED
              + " of them: elements="
              + count);
    }
    objects(count);
  }

  /** Keys of the same hash that have no order are compared with each other one by one. */
  private void hashed(int count, boolean isMap) {
    if (count < 0 || (isMap ? 2L : 1L) * count * Integer.BYTES > in.left()) {
      throw new UnreadableException(
          "a value names more elements than it has bytes: elements=" + count);
    }
    int unordered = 0;
    for (int i = 0; i < count; i++) {
      if (!isOrdered(in.peekInt32()) && ++unordered > ReadableTypes.MOST_COMPARED) {
        throw new UnreadableException(
            "a hashed collection has more than "
                + ReadableTypes.MOST_COMPARED
                + " keys that have no order");
      }
      object();
      if (isMap) {
        object();
      }
    }
  }

  private static boolean isOrdered(int type) {
    return (type <= SerializationConstants.CONSTANT_TYPE_BYTE
            && type >= SerializationConstants.CONSTANT_TYPE_STRING)
        || type == SerializationConstants.CONSTANT_TYPE_UUID
        || (type <= SerializationConstants.JAVA_DEFAULT_TYPE_DATE
            && type >= SerializationConstants.JAVA_DEFAULT_TYPE_BIG_DECIMAL)
        || (type <= SerializationConstants.JAVA_DEFAULT_TYPE_LOCALDATE
            && type >= SerializationConstants.JAVA_DEFAULT_TYPE_OFFSETDATETIME);
  }

  private void value(int type) {
    switch (type) {
      case SerializationConstants.CONSTANT_TYPE_NULL -> {}
      case SerializationConstants.CONSTANT_TYPE_BYTE,
          SerializationConstants.CONSTANT_TYPE_BOOLEAN ->
          in.skip(1);
      case SerializationConstants.CONSTANT_TYPE_CHAR, SerializationConstants.CONSTANT_TYPE_SHORT ->
          in.skip(Short.BYTES);
      case SerializationConstants.CONSTANT_TYPE_INTEGER,
          SerializationConstants.CONSTANT_TYPE_FLOAT ->
          in.skip(Integer.BYTES);
      case SerializationConstants.CONSTANT_TYPE_LONG,
          SerializationConstants.CONSTANT_TYPE_DOUBLE,
          SerializationConstants.JAVA_DEFAULT_TYPE_DATE ->
          in.skip(Long.BYTES);
      case SerializationConstants.CONSTANT_TYPE_UUID -> in.skip(2L * Long.BYTES);
      case SerializationConstants.CONSTANT_TYPE_STRING,
          SerializationConstants.JAVASCRIPT_JSON_SERIALIZATION_TYPE,
          SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY,
          SerializationConstants.CONSTANT_TYPE_BOOLEAN_ARRAY,
          SerializationConstants.JAVA_DEFAULT_BYTE_BUFFER ->
          array(1);
      case SerializationConstants.CONSTANT_TYPE_CHAR_ARRAY,
          SerializationConstants.CONSTANT_TYPE_SHORT_ARRAY ->
          array(Short.BYTES);
      case SerializationConstants.CONSTANT_TYPE_INTEGER_ARRAY,
          SerializationConstants.CONSTANT_TYPE_FLOAT_ARRAY ->
          array(Integer.BYTES);
      case SerializationConstants.CONSTANT_TYPE_LONG_ARRAY,
          SerializationConstants.CONSTANT_TYPE_DOUBLE_ARRAY ->
          array(Long.BYTES);
      case SerializationConstants.CONSTANT_TYPE_STRING_ARRAY -> texts();
      case SerializationConstants.CONSTANT_TYPE_SIMPLE_ENTRY,
          SerializationConstants.CONSTANT_TYPE_SIMPLE_IMMUTABLE_ENTRY ->
          objects(2);
      case SerializationConstants.JAVA_DEFAULT_TYPE_BIG_INTEGER -> digits(in);
      case SerializationConstants.JAVA_DEFAULT_TYPE_BIG_DECIMAL -> decimal(in);
      case SerializationConstants.JAVA_DEFAULT_TYPE_LOCALDATE -> in.skip(6);
      case SerializationConstants.JAVA_DEFAULT_TYPE_LOCALTIME -> in.skip(7);
      case SerializationConstants.JAVA_DEFAULT_TYPE_LOCALDATETIME -> in.skip(13);
      case SerializationConstants.JAVA_DEFAULT_TYPE_OFFSETDATETIME -> in.skip(17);
      case SerializationConstants.JAVA_DEFAULT_TYPE_OPTIONAL -> {
        if (in.int8() != 0) {
          object();
        }
      }
      case SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY,
          SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_LIST,
          SerializationConstants.JAVA_DEFAULT_TYPE_LINKED_LIST,
          SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_DEQUE,
          SerializationConstants.JAVA_DEFAULT_TYPE_LINKED_BLOCKING_QUEUE,
          SerializationConstants.JAVA_DEFAULT_TYPE_LINKED_TRANSFER_QUEUE ->
          objects(in.int32());
      case SerializationConstants.JAVA_DEFAULT_TYPE_COPY_ON_WRITE_ARRAY_LIST,
          SerializationConstants.JAVA_DEFAULT_TYPE_COPY_ON_WRITE_ARRAY_SET ->
          copied(in.int32());
      case SerializationConstants.JAVA_DEFAULT_TYPE_HASH_SET,
          SerializationConstants.JAVA_DEFAULT_TYPE_LINKED_HASH_SET ->
          hashed(in.int32(), /* isMap= */ false);
      case SerializationConstants.JAVA_DEFAULT_TYPE_HASH_MAP,
          SerializationConstants.JAVA_DEFAULT_TYPE_CONCURRENT_HASH_MAP,
          SerializationConstants.JAVA_DEFAULT_TYPE_LINKED_HASH_MAP ->
          hashed(in.int32(), /* isMap= */ true);
      case SerializationConstants.JAVA_DEFAULT_TYPE_TREE_MAP,
          SerializationConstants.JAVA_DEFAULT_TYPE_CONCURRENT_SKIP_LIST_MAP -> {
        object(); // its comparator
        objects(2L * in.int32());
      }
      case SerializationConstants.JAVA_DEFAULT_TYPE_TREE_SET,
          SerializationConstants.JAVA_DEFAULT_TYPE_CONCURRENT_SKIP_LIST_SET,
          SerializationConstants.JAVA_DEFAULT_TYPE_PRIORITY_QUEUE,
          SerializationConstants.JAVA_DEFAULT_TYPE_PRIORITY_BLOCKING_QUEUE -> {
        object(); // its comparator
        objects(in.int32());
      }
      case SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_BLOCKING_QUEUE -> boundedQueue();
      case SerializationConstants.CONSTANT_TYPE_DATA_SERIALIZABLE -> dataSerializable();
      case SerializationConstants.JAVA_DEFAULT_TYPE_SERIALIZABLE ->
          new JavaStreamCheck(types, in).object();
      case SerializationConstants.JAVA_DEFAULT_TYPE_EXTERNALIZABLE ->
          operators(text(), "an externalizable object");
      case SerializationConstants.CONSTANT_TYPE_PORTABLE, SerializationConstants.TYPE_COMPACT ->
          record(type);
      default ->
          throw new UnreadableException(
              "values of this type are not read by members: type="
                  + type
                  + "; they are stored and returned as they came");
    }
  }

  private void array(int elementBytes) {
    int count = in.int32();
    if (count != NULL_LENGTH) {
      in.skip(count < 0 ? count : (long) count * elementBytes);
    }
  }

  private void texts() {
    int count = in.int32();
    if (count == NULL_LENGTH) {
      return;
    }
    if (count < 0 || (long) count * Integer.BYTES > in.left()) {
      throw new UnreadableException("a value names more texts than it has bytes: texts=" + count);
    }
    for (int i = 0; i < count; i++) {
      array(1);
    }
  }

  private String text() {
    int length = in.int32();
    return length == NULL_LENGTH ? "" : in.text(length);
  }

  static void digits(ByteCursor in) {
    int length = in.int32();
    checkDigits(length);
    in.skip(length);
  }

  static void decimal(ByteCursor in) {
    digits(in);
    checkScale(in.int32());
  }

  static void checkDigits(int length) {
    if (length < 0 || length > ReadableTypes.MOST_NUMBER_BYTES) {
      throw new UnreadableException(
          "a number has more than "
              + ReadableTypes.MOST_NUMBER_BYTES
              + " bytes of digits: bytes="
              + length);
    }
  }

  static void checkScale(int scale) {
    if (scale > ReadableTypes.MOST_SCALE || scale < -ReadableTypes.MOST_SCALE) {
      throw new UnreadableException(
          "a number has more than "
              + ReadableTypes.MOST_SCALE
              + " decimal places, or zeros before the point: scale="
              + scale);
    }
  }

  /** Hazelcast writes how many elements there are where the room belongs. */
  private void boundedQueue() {
    int count = in.int32();
    if (count < 0 || count > ReadableTypes.MOST_CAPACITY) {
      throw new UnreadableException(
          "a queue has room for more than " + ReadableTypes.MOST_CAPACITY + " elements: " + count);
    }
    objects(count);
  }

  private void dataSerializable() {
    byte flags = in.int8();
    if ((flags & IDENTIFIED) == 0) {
      operators(text(), "an object");
      return;
    }
    int factory = in.int32();
    int type = in.int32();
    if ((flags & VERSIONED) != 0) {
      in.skip(2);
    }
    if (types.isOperatorsFactory(factory)) {
      throw new OpaqueException();
    }
    String fields = ReadableTypes.fieldsOf(factory, type);
    if (fields == null) {
      throw new UnreadableException(
          "objects of this class are not open to tenants: factory=" + factory + " class=" + type);
    }
    for (int i = 0; i < fields.length(); i++) {
      field(fields.charAt(i));
    }
  }

  private void field(char kind) {
    switch (kind) {
      case 'o' -> object();
      case 's', 'd' -> array(1);
      case 'S' -> texts();
      case 'i' -> in.skip(Integer.BYTES);
      case 'l' -> in.skip(Long.BYTES);
      case 'b' -> in.skip(1);
      case 'n' -> objects(in.int32());
      case 'a' -> anchors();
      case 'c' -> comparedClass();
      default -> throw new IllegalStateException("no such kind of field: " + kind);
    }
  }

  private void anchors() {
    int count = in.int32();
    if (count < 0 || (long) count * 3 * Integer.BYTES > in.left()) {
      throw new UnreadableException(
          "a paging predicate names more pages than it has bytes: pages=" + count);
    }
    for (int i = 0; i < count; i++) {
      in.skip(Integer.BYTES);
      objects(2);
    }
  }

  private void comparedClass() {
    String name = text();
    if (!types.isComparedClass(name)) {
      throw new UnreadableException("values cannot be compared with the class '" + name + "'");
    }
  }

  private void operators(String className, String what) {
    if (types.isOperators(className)) {
      throw new OpaqueException();
    }
    throw new UnreadableException(
        what
            + " of the class '"
            + shortened(className)
            + "' is not made on a member: the operator lists those that are under 'extensions' in"
            + " kvs.yaml");
  }

  static String shortened(String name) {
    return name.length() <= 200 ? name : name.substring(0, 200) + "...";
  }

  private void record(int type) {
    if (records == null) {
      throw new OpaqueException();
    }
    in.moveTo(records.end(type, in.bytes(), in.position(), in.end()));
  }
}
