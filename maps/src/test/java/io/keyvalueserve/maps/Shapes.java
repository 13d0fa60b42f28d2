package io.keyvalueserve.maps;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.nio.serialization.Portable;
import com.hazelcast.nio.serialization.PortableReader;
import com.hazelcast.nio.serialization.PortableWriter;
import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import java.io.IOException;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One point in each of the forms that Hazelcast writes an object in. */
final class Shapes {
  private static final int FACTORY = 7_001;
  private static final int CLASS = 1;

  private Shapes() {}

  @SuppressWarnings("removal") // users have portables
  static void register(SerializationConfig config) {
    config.addDataSerializableFactory(FACTORY, id -> new Identified());
    config.addPortableFactory(FACTORY, id -> new PortablePoint());
    config.getCompactSerializationConfig().addSerializer(new CompactPointSerializer());
  }

  /** As Java writes it. */
  record JavaPoint(int x, int y) implements Serializable {}

  /** As a serializer of ours writes it. */
  record CompactPoint(int x, int y) {}

  private static final class CompactPointSerializer implements CompactSerializer<CompactPoint> {
    @Override
    public CompactPoint read(CompactReader reader) {
      return new CompactPoint(reader.readInt32("x"), reader.readInt32("y"));
    }

    @Override
    public void write(CompactWriter writer, CompactPoint point) {
      writer.writeInt32("x", point.x());
      writer.writeInt32("y", point.y());
    }

    @Override
    public String getTypeName() {
      return "point";
    }

    @Override
    public Class<CompactPoint> getCompactClass() {
      return CompactPoint.class;
    }
  }

  /** What the two forms that fill an empty object have in common. */
  abstract static class Point {
    int x;
    int y;

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Point point
          && point.getClass() == getClass()
          && point.x == x
          && point.y == y;
    }

    @Override
    public int hashCode() {
      return Objects.hash(x, y);
    }
  }

  /** Written by a class and factory id. */
  static final class Identified extends Point implements IdentifiedDataSerializable {
    Identified() {}

    Identified(int x, int y) {
      this.x = x;
      this.y = y;
    }

    @Override
    public int getFactoryId() {
      return FACTORY;
    }

    @Override
    public int getClassId() {
      return CLASS;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
      out.writeInt(x);
      out.writeInt(y);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
      x = in.readInt();
      y = in.readInt();
    }
  }

  /** Written field by field, with a class definition. */
  @SuppressWarnings("removal") // users have them
  static final class PortablePoint extends Point implements Portable {
    PortablePoint() {}

    PortablePoint(int x, int y) {
      this.x = x;
      this.y = y;
    }

    @Override
    public int getFactoryId() {
      return FACTORY;
    }

    @Override
    public int getClassId() {
      return CLASS;
    }

    @Override
    public void writePortable(PortableWriter writer) throws IOException {
      writer.writeInt("x", x);
      writer.writeInt("y", y);
    }

    @Override
    public void readPortable(PortableReader reader) throws IOException {
      x = reader.readInt("x");
      y = reader.readInt("y");
    }
  }
}
