package com.hazelcast.internal.serialization.impl;

import com.hazelcast.core.ManagedContext;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InputOutputFactory;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.compact.CompactStreamSerializer;
import com.hazelcast.internal.serialization.impl.compact.CompactStreamSerializerAdapter;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.nio.serialization.ClassNameFilter;
import io.keyvalueserve.maps.readable.Extensions;
import io.keyvalueserve.maps.readable.ReadableTypes;
import io.keyvalueserve.maps.readable.Unreadable;
import io.keyvalueserve.maps.readable.UnreadableException;
import io.keyvalueserve.maps.readable.ValueCheck;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * A member's serialization service: Hazelcast's own, which makes objects of a tenant's bytes only
 * as far as {@link ReadableTypes} lists them.
 *
 * <p>It knows a tenant's bytes by where they come from: whatever is not a packet of another member,
 * and not an object of a class that members alone use.
 */
public final class MemberSerialization extends SerializationServiceV1 {
  private final CheckedReading[] constants =
      new CheckedReading[SerializationConstants.CONSTANT_SERIALIZERS_LENGTH];
  private final CheckedReading java;
  private final CheckedReading externalizable;
  private final ReadableTypes types;
  private final RecordCheck records;
  private final LenientReading lenient;

  private MemberSerialization(Parts parts) {
    super(parts);
    types = parts.types;
    records = parts.records;
    lenient = parts.lenient;
    parts.records.use(parts.schemas, getPortableContext());
    // Compact names the class of a record in its schema: only the operator's are looked for.
    compactStreamSerializer =
        new CompactStreamSerializer(
            type -> serializerForClass(type, false).getClass(),
            parts.builder.compactSerializationConfig,
            managedContext,
            parts.schemas,
            new OperatorsClasses(parts.extensions, parts.builder.classLoader),
            parts.restrictions);
    compactSerializerAdapter = new CompactStreamSerializerAdapter(compactStreamSerializer);
    registerConstant(compactSerializerAdapter);
    for (int i = 0; i < constants.length; i++) {
      SerializerAdapter stock = super.serializerFor(-i);
      if (stock != null) {
        constants[i] = checked(-i, stock, parts.types);
      }
    }
    java = new CheckedReading.OfJava(javaSerializerAdapter, parts.types, parts.classes);
    externalizable = new CheckedReading.OfMembersOnly(javaExternalizableAdapter);
  }

  private static CheckedReading checked(int type, SerializerAdapter stock, ReadableTypes types) {
    return switch (type) {
      case SerializationConstants.CONSTANT_TYPE_DATA_SERIALIZABLE ->
          new CheckedReading.OfDataSerializable(stock, types);
      case SerializationConstants.JAVA_DEFAULT_TYPE_CLASS,
          SerializationConstants.TYPE_COMPACT_WITH_SCHEMA ->
          new CheckedReading.OfMembersOnly(stock);
      default -> new CheckedReading(stock);
    };
  }

  @Override
  public SerializerAdapter serializerFor(int type) {
    if (constants != null && type <= 0 && type > -constants.length) {
      return constants[-type];
    }
    return switch (type) {
      case SerializationConstants.JAVA_DEFAULT_TYPE_SERIALIZABLE -> java;
      case SerializationConstants.JAVA_DEFAULT_TYPE_EXTERNALIZABLE -> externalizable;
      default -> {
        SerializerAdapter stock = super.serializerFor(type);
        boolean isPassedOver = stock == null && constants != null && lenient.isOn();
        yield isPassedOver ? constants[0] : stock; // queries see nothing in what nobody can read
      }
    };
  }

  /** Called by queries, which read such records where they lie. */
  @Override
  public InternalGenericRecord readAsInternalGenericRecord(Data data) throws IOException {
    byte[] bytes = data.toByteArray();
    try {
      ValueCheck.check(types, records, bytes, 0, bytes.length);
    } catch (UnreadableException e) {
      if (!lenient.isOn()) {
        throw e;
      }
      Unreadable.passedOver(e);
      return new NoFields(compactStreamSerializer, createObjectDataInput(new byte[0]));
    }
    return super.readAsInternalGenericRecord(data);
  }

  /** The operator's classes, and no others. */
  private static final class OperatorsClasses extends ClassLoader {
    private final Extensions extensions;

    OperatorsClasses(Extensions extensions, ClassLoader parent) {
      super(parent);
      this.extensions = extensions;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (extensions.names(name)) {
        return super.loadClass(name, resolve);
      }
      throw new ClassNotFoundException(name);
    }
  }

  /** Makes one from the settings that Hazelcast makes its own from. */
  @SuppressWarnings("unchecked") // as Hazelcast's own
  public static final class Builder extends DefaultSerializationServiceBuilder {
    private final Extensions extensions;

    /** Takes the operator's classes. */
    public Builder(Extensions extensions) {
      this.extensions = extensions;
    }

    @Override
    protected InputOutputFactory createInputOutputFactory() {
      return new BoundedInputs();
    }

    @Override
    protected InternalSerializationService createSerializationService(
        InputOutputFactory inputs, Supplier<RuntimeException> notActive) {
      MemberSerialization service = new MemberSerialization(new Parts(this, inputs, notActive));
      service.registerClassDefinitions(classDefinitions);
      return service;
    }
  }

  /** The parts that the service and its buffers share. */
  private static final class Parts extends AbstractBuilder<Parts> {
    private final Builder builder;
    private final Extensions extensions;
    private final ReadableTypes types;
    private final RecordCheck records = new RecordCheck();
    private final LenientReading lenient = new LenientReading();
    private final SchemaService schemas;
    private final ClassNameFilter classes;
    private final ExtraReflectiveCompactSerializationRestrictions restrictions;

    Parts(Builder builder, InputOutputFactory inputs, Supplier<RuntimeException> notActive) {
      this.builder = builder;
      this.extensions = builder.extensions;
      this.types = new ReadableTypes(builder.extensions);
      this.schemas = builder.schemaService;
      this.classes = builder.classNameSerializationFilter;
      this.restrictions =
          new ExtraReflectiveCompactSerializationRestrictions(
              null, null, builder.createReflectiveCompactSerializerDefaultBlockList());
      withInputOutputFactory(inputs)
          .withVersion(builder.version)
          .withPortableVersion(builder.portableVersion)
          .withClassLoader(builder.classLoader)
          .withDataSerializableFactories(builder.dataSerializableFactories)
          .withPortableFactories(builder.portableFactories)
          .withManagedContext(builder.managedContext)
          .withGlobalPartitionStrategy(builder.partitioningStrategy)
          .withInitialOutputBufferSize(builder.initialOutputBufferSize)
          .withBufferPoolFactory(service -> new CheckedBuffers(service, types, records, lenient))
          .withEnableCompression(false)
          .withEnableSharedObject(builder.enableSharedObject)
          .withNotActiveExceptionSupplier(notActive)
          .withClassNameFilter(classes)
          .withCheckClassDefErrors(builder.checkClassDefErrors)
          .withAllowOverrideDefaultSerializers(builder.allowOverrideDefaultSerializers)
          .withCompactSerializationConfig(builder.compactSerializationConfig)
          .withClusterVersionAware(builder.clusterVersionAware)
          .withVersionedSerializationEnabled(builder.versionedSerializationEnabled)
          .withSchemaService(schemas)
          .withCompatibility(false)
          .withReflectiveCompactSerializationRestrictions(restrictions)
          .withProperties(builder.properties);
    }

    @Override
    protected Parts self() {
      return this;
    }
  }

  /** Returns what gives objects that a service reads what they need of their member. */
  public static ManagedContext contextOf(InternalSerializationService service) {
    return ((AbstractSerializationService) service).managedContext;
  }

  /** Returns how a service reads what queries look at; one that is no member's reads it as all. */
  public static LenientReading lenient(InternalSerializationService service) {
    return service instanceof MemberSerialization members
        ? members.lenient
        : LenientReading.OF_NO_MEMBER;
  }
}
