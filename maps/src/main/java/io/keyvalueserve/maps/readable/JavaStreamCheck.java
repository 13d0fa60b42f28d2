package io.keyvalueserve.maps.readable;

import java.io.ObjectStreamConstants;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds a stream of Java serialization against the allow-list, and makes no object of it. Follows
 * the grammar of the Java Object Serialization Specification, section 6.4.2.
 *
 * <p>Refuses whatever a plain value has no need of: classes as values, proxies, exceptions within
 * the stream, and more than a few references back to what has elements. The last are what lets a
 * few kilobytes stand for sets whose hash takes longer than anybody lives.
 *
 * <p>For one thread.
 */
final class JavaStreamCheck implements ObjectStreamConstants {
  /** Something that a reference may point to. */
  private enum Handle {
    /** A text, an enum's constant, a boxed number: it has no elements. */
    LEAF,
    /** The description of a class. */
    CLASS,
    /** A value with elements. */
    COMPOSITE
  }

  /** The type code of a field, and its name. */
  private record Field(char code, String name) {}

  private record Described(
      String name, byte flags, List<Field> fields, @Nullable Described superclass) {}

  private static final int MOST_FIELDS = 256;
  private static final int MOST_SUPERCLASSES = 16;

  private final ReadableTypes types;
  private final ByteCursor in;
  private final List<Handle> handles = new ArrayList<>();
  private final List<@Nullable Described> classes = new ArrayList<>(); // by handle
  private int depth;
  private int composites;
  private int shared;

  JavaStreamCheck(ReadableTypes types, ByteCursor in) {
    this.types = types;
    this.in = in;
  }

  /** Walks a stream that holds one object. */
  void object() {
    if (in.int16() != STREAM_MAGIC || in.int16() != STREAM_VERSION) {
      throw new UnreadableException("a Java object does not begin as a stream of objects does");
    }
    content(in.int8());
  }

  private void content(byte tag) {
    if (++depth > 2 * ReadableTypes.MOST_DEPTH) {
      throw new UnreadableException(
          "a Java object has more than "
              + 2 * ReadableTypes.MOST_DEPTH
              + " objects within each other");
    }
    switch (tag) {
      case TC_NULL -> {}
      case TC_REFERENCE -> reference();
      case TC_STRING, TC_LONGSTRING -> string(tag);
      case TC_OBJECT -> newObject();
      case TC_ARRAY -> newArray();
      case TC_ENUM -> newEnum();
      default ->
          throw new UnreadableException(
              "a Java object holds what a plain value has no need of: tag=" + tag);
    }
    depth--;
  }

  private int newHandle(Handle handle, @Nullable Described described) {
    if (handle == Handle.COMPOSITE && ++composites > ReadableTypes.MOST_COMPARED) {
      throw new UnreadableException(
          "a Java object has more than "
              + ReadableTypes.MOST_COMPARED
              + " objects with elements in it");
    }
    handles.add(handle);
    classes.add(described);
    return handles.size() - 1;
  }

  private int handle() {
    int handle = in.int32() - baseWireHandle;
    if (handle < 0 || handle >= handles.size()) {
      throw new UnreadableException("a Java object refers to what is not there");
    }
    return handle;
  }

  private void reference() {
    if (handles.get(handle()) != Handle.LEAF && ++shared > ReadableTypes.MOST_SHARED) {
      throw new UnreadableException(
          "a Java object refers back more than "
              + ReadableTypes.MOST_SHARED
              + " times to others that have elements: a member would look through them again each"
              + " time");
    }
  }

  private void string(byte tag) {
    newHandle(Handle.LEAF, null);
    in.skip(tag == TC_STRING ? Short.toUnsignedInt(in.int16()) : in.int64());
  }

  private String name() {
    return in.text(Short.toUnsignedInt(in.int16()));
  }

  private @Nullable Described classDescription() {
    return classDescription(0);
  }

  private @Nullable Described classDescription(int superclasses) {
    if (superclasses > MOST_SUPERCLASSES) {
      throw new UnreadableException("a Java object's class has too many superclasses");
    }
    byte tag = in.int8();
    return switch (tag) {
      case TC_NULL -> null;
      case TC_REFERENCE -> {
        Described known = classes.get(handle());
        if (known == null) {
          throw new UnreadableException("a Java object refers to a class that is not there");
        }
        yield known;
      }
      case TC_CLASSDESC -> newClass(superclasses);
      default ->
          throw new UnreadableException("a Java object is of no class that has a name: tag=" + tag);
    };
  }

  private Described newClass(int superclasses) {
    String name = name();
    if (!types.isJavaClass(name)) {
      throw new UnreadableException(
          "Java objects of the class '"
              + ValueCheck.shortened(name)
              + "' are not made on a member: they are stored and returned as they came, and queries"
              + " see no attributes in them");
    }
    in.skip(Long.BYTES); // the version of the class
    int handle = newHandle(Handle.CLASS, null);
    byte flags = in.int8();
    int count = Short.toUnsignedInt(in.int16());
    if (count > MOST_FIELDS) {
      throw new UnreadableException("a Java object's class has too many fields: " + count);
    }
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      char code = (char) in.int8();
      fields.add(new Field(code, name()));
      if (code == 'L' || code == '[') {
        fieldType();
      }
    }
    if (in.int8() != TC_ENDBLOCKDATA) {
      throw new UnreadableException("a Java object's class is annotated");
    }
    Described described = new Described(name, flags, fields, classDescription(superclasses + 1));
    classes.set(handle, described);
    return described;
  }

  /** The name of a field's type, as a text. */
  private void fieldType() {
    byte tag = in.int8();
    switch (tag) {
      case TC_STRING -> string(tag);
      case TC_REFERENCE -> reference();
      default -> throw new UnreadableException("a field of a Java object has no type");
    }
  }

  private void newObject() {
    Described described = classDescription();
    if (described == null) {
      throw new UnreadableException("a Java object has no class");
    }
    newHandle(isLeaf(described) ? Handle.LEAF : Handle.COMPOSITE, null);
    data(described);
  }

  /** Those whose fields are numbers only. */
  private static boolean isLeaf(Described described) {
    for (Described each = described; each != null; each = each.superclass) {
      boolean plain =
          each.fields.stream().allMatch(field -> field.code != 'L' && field.code != '[')
              && (each.flags & (SC_WRITE_METHOD | SC_EXTERNALIZABLE)) == 0;
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  private void data(Described described) {
    if (described.superclass != null) {
      data(described.superclass);
    }
    if ((described.flags & SC_SERIALIZABLE) != 0) {
      for (Field field : described.fields) {
        value(described, field);
      }
      if ((described.flags & SC_WRITE_METHOD) != 0) {
        annotation();
      }
    } else if ((described.flags & SC_EXTERNALIZABLE) != 0) {
      if ((described.flags & SC_BLOCK_DATA) == 0) {
        throw new UnreadableException("a Java object's end is not to be found");
      }
      annotation();
    }
  }

  private void value(Described described, Field field) {
    switch (field.code) {
      case 'B', 'Z' -> in.skip(1);
      case 'C', 'S' -> in.skip(Short.BYTES);
      case 'I' -> {
        int value = in.int32();
        if (field.name.equals("scale") && described.name.equals("java.math.BigDecimal")) {
          ValueCheck.checkScale(value);
        }
      }
      case 'F' -> in.skip(Float.BYTES);
      case 'J', 'D' -> in.skip(Long.BYTES);
      case 'L', '[' -> content(in.int8());
      default -> throw new UnreadableException("a field of a Java object has no type");
    }
  }

  /** Bytes and objects that a class has written by a method of its own. */
  private void annotation() {
    for (byte tag = in.int8(); tag != TC_ENDBLOCKDATA; tag = in.int8()) {
      switch (tag) {
        case TC_BLOCKDATA -> in.skip(Byte.toUnsignedInt(in.int8()));
        case TC_BLOCKDATALONG -> in.skip(in.int32());
        default -> content(tag);
      }
    }
  }

  private void newArray() {
    Described described = classDescription();
    if (described == null || described.name.length() < 2 || described.name.charAt(0) != '[') {
      throw new UnreadableException("a Java array has no class of an array");
    }
    newHandle(Handle.COMPOSITE, null);
    long count = in.int32();
    char code = described.name.charAt(1);
    int bytes =
        switch (code) {
          case 'B', 'Z', 'L', '[' -> 1;
          case 'C', 'S' -> Short.BYTES;
          case 'I', 'F' -> Integer.BYTES;
          default -> Long.BYTES;
        };
    if (count < 0 || count * bytes > in.left()) {
      throw new UnreadableException(
          "a Java array names more elements than it has bytes: elements=" + count);
    }
    if (code == 'L' || code == '[') {
      for (long i = 0; i < count; i++) {
        content(in.int8());
      }
    } else {
      in.skip(count * bytes);
    }
  }

  private void newEnum() {
    if (classDescription() == null) {
      throw new UnreadableException("a constant of an enum has no class");
    }
    newHandle(Handle.LEAF, null);
    byte tag = in.int8();
    switch (tag) {
      case TC_STRING -> string(tag);
      case TC_REFERENCE -> reference();
      default -> throw new UnreadableException("a constant of an enum has no name");
    }
  }
}
