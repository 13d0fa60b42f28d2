package com.hazelcast.internal.serialization.impl;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.ClassNameFilter;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.nio.serialization.Serializer;
import io.keyvalueserve.maps.readable.ReadableTypes;
import io.keyvalueserve.maps.readable.StreamFilters;
import io.keyvalueserve.maps.readable.UnreadableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import org.jspecify.annotations.Nullable;

/** Hazelcast's own way to read one type, and what is checked before. Thread-safe. */
@SuppressWarnings("NullAway") // Hazelcast's serializers return null for null
class CheckedReading implements SerializerAdapter {
  private final SerializerAdapter stock;

  CheckedReading(SerializerAdapter stock) {
    this.stock = stock;
  }

  /** Checks what is read, at any depth within a value. */
  void check(BoundedInput in) throws IOException {}

  @Override
  public @Nullable Object read(ObjectDataInput in) throws IOException {
    if (in instanceof BoundedInput bounded) {
      if (bounded.isPassedOver()) {
        return null;
      }
      check(bounded);
    }
    return stock.read(in);
  }

  @Override
  public @Nullable Object read(ObjectDataInput in, Class<?> type) throws IOException {
    if (in instanceof BoundedInput bounded) {
      if (bounded.isPassedOver()) {
        return null;
      }
      check(bounded);
    }
    return stock.read(in, type);
  }

  @Override
  public void write(ObjectDataOutput out, Object object) throws IOException {
    stock.write(out, object);
  }

  @Override
  public int getTypeId() {
    return stock.getTypeId();
  }

  @Override
  public void destroy() {
    stock.destroy();
  }

  @Override
  public Serializer getImpl() {
    return stock.getImpl();
  }

  /** Objects that read themselves: within a tenant's value, those of public factories. */
  static final class OfDataSerializable extends CheckedReading {
    private final ReadableTypes types;

    OfDataSerializable(SerializerAdapter stock, ReadableTypes types) {
      super(stock);
      this.types = types;
    }

    @Override
    void check(BoundedInput in) throws IOException {
      if (!in.isTenants()) {
        return;
      }
      int start = in.position();
      byte flags = in.readByte();
      boolean open;
      if (DataSerializableHeader.isIdentifiedDataSerializable(flags)) {
        int factory = in.readInt();
        open = ReadableTypes.isPublicFactory(factory) || types.isOperatorsFactory(factory);
      } else {
        String name = in.readString();
        open = name != null && types.isOperators(name);
      }
      in.position(start);
      if (!open) {
        throw new UnreadableException("an object of this class is not made on a member");
      }
    }
  }

  /** Java's own serialization, each stream with its filter. */
  static final class OfJava extends CheckedReading {
    private final ReadableTypes types;
    private final ClassNameFilter classes;

    OfJava(SerializerAdapter stock, ReadableTypes types, ClassNameFilter classes) {
      super(stock);
      this.types = types;
      this.classes = classes;
    }

    @Override
    public @Nullable Object read(ObjectDataInput in) throws IOException {
      boolean tenants = in instanceof BoundedInput bounded && bounded.isTenants();
      if (in instanceof BoundedInput bounded && bounded.isPassedOver()) {
        return null;
      }
      InputStream bytes = (InputStream) in;
      try {
        // It is not closed: the input goes on behind the object.
        ObjectInputStream objects =
            IOUtil.newObjectInputStream(in.getClassLoader(), classes, bytes);
        objects.setObjectInputFilter(
            tenants ? StreamFilters.ofTenant(types, bytes.available()) : StreamFilters::ofMember);
        return objects.readObject();
      } catch (ClassNotFoundException e) {
        throw new HazelcastSerializationException(e);
      }
    }
  }

  /** A type that a tenant's value may not hold. */
  static final class OfMembersOnly extends CheckedReading {
    OfMembersOnly(SerializerAdapter stock) {
      super(stock);
    }

    @Override
    void check(BoundedInput in) {
      if (in.isTenants()) {
        throw new UnreadableException("a class, or an object that reads itself, is not made here");
      }
    }
  }
}
