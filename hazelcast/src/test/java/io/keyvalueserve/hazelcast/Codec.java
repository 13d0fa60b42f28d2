package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.holder.AnchorDataListHolder;
import com.hazelcast.client.impl.protocol.codec.holder.PagingPredicateHolder;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A codec of Hazelcast's client protocol, found on the class path and driven by reflection. */
record Codec(Class<?> type) {
  private static final SerializationService SERIALIZATION =
      new DefaultSerializationServiceBuilder().build();
  private static final Data DATA = SERIALIZATION.toData("sample");

  /** Every codec with a request that there is. */
  static Stream<Codec> all() {
    String path = MapPutCodec.class.getName().replace('.', '/') + ".class";
    URL url = MapPutCodec.class.getClassLoader().getResource(path);
    try {
      JarURLConnection jar = (JarURLConnection) url.openConnection();
      String folder = path.substring(0, path.lastIndexOf('/') + 1);
      return jar.getJarFile().stream()
          .map(entry -> entry.getName())
          .filter(name -> name.startsWith(folder) && name.endsWith("Codec.class"))
          .filter(name -> name.indexOf('/', folder.length()) < 0)
          .map(name -> load(name.substring(0, name.length() - ".class".length()).replace('/', '.')))
          .filter(type -> Arrays.stream(type.getFields()).anyMatch(Codec::isRequestType))
          .map(Codec::new)
          .sorted((a, b) -> a.name().compareTo(b.name()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isRequestType(Field field) {
    return field.getName().equals("REQUEST_MESSAGE_TYPE");
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  String name() {
    return type.getSimpleName();
  }

  int requestType() {
    try {
      return type.getField("REQUEST_MESSAGE_TYPE").getInt(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the door knows of the request; null if it is closed to tenants. */
  @Nullable MessageDescriptor descriptor() {
    return MessageTable.find(requestType());
  }

  /** Every codec with a request that is open to tenants, with what the door knows of it. */
  static Map<Codec, MessageDescriptor> open() {
    Map<Codec, MessageDescriptor> open = new LinkedHashMap<>();
    all()
        .filter(codec -> codec.descriptor() != null)
        .forEach(codec -> open.put(codec, MessageTable.get(codec.requestType())));
    return open;
  }

  /** A request with sample arguments and this name. */
  ClientMessage encodeSample(String name) {
    Method encode = method("encodeRequest");
    Object[] arguments = Arrays.stream(encode.getParameters()).map(Codec::sample).toArray();
    arguments[0] = name; // the protocol puts it first; the test sees if not
    return (ClientMessage) invoke(encode, arguments);
  }

  /** A request with this name, in which no two serialized parts are the same. */
  ClientMessage encodeDistinct(String name) {
    Method encode = method("encodeRequest");
    Distinct distinct = new Distinct();
    Object[] arguments =
        Arrays.stream(encode.getParameters())
            .map(
                parameter -> {
                  Object sample = sample(parameter);
                  return switch (sample) {
                    case Data _ -> distinct.next();
                    case List<?> list when !list.isEmpty() && list.getFirst() instanceof Data ->
                        List.of(distinct.next(), distinct.next());
                    case List<?> list
                        when !list.isEmpty()
                            && list.getFirst() instanceof Map.Entry<?, ?> entry
                            && entry.getValue() instanceof Data ->
                        List.of(
                            Map.entry(distinct.next(), distinct.next()),
                            Map.entry(distinct.next(), distinct.next()));
                    default -> sample;
                  };
                })
            .toArray();
    arguments[0] = name;
    return (ClientMessage) invoke(encode, arguments);
  }

  private static final class Distinct {
    private int count;

    Data next() {
      return SERIALIZATION.toData("data" + count++);
    }
  }

  /** The keys that a request of {@link #encodeDistinct} names, as Hazelcast reads it. */
  List<String> keys(ClientMessage message) {
    Object decoded = invoke(method("decodeRequest"), message);
    List<Object> keys = new ArrayList<>();
    for (Field field : decoded.getClass().getFields()) {
      Object value;
      try {
        value = field.get(decoded);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
      switch (field.getName()) {
        case "key" -> keys.add(value);
        case "keys" -> keys.addAll((Collection<?>) value);
        case "entries" ->
            ((Collection<?>) value).forEach(entry -> keys.add(((Map.Entry<?, ?>) entry).getKey()));
        default -> {}
      }
    }
    return keys.stream().map(key -> SERIALIZATION.<String>toObject(key)).toList();
  }

  /** What the request's fields hold, as text. */
  Map<String, String> decodeFields(ClientMessage message) {
    Object decoded = invoke(method("decodeRequest"), message);
    Map<String, String> fields = new TreeMap<>();
    if (decoded instanceof String text) {
      fields.put("name", text);
      return fields;
    }
    for (Field field : decoded.getClass().getFields()) {
      try {
        fields.put(field.getName(), text(field.get(decoded)));
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
    return fields;
  }

  private static String text(Object value) {
    if (value instanceof PagingPredicateHolder) {
      return "paging predicate";
    }
    return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
  }

  private Method method(String name) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(type + " has no " + name));
  }

  private static Object invoke(Method method, Object... arguments) {
    try {
      return method.invoke(null, arguments);
    } catch (InvocationTargetException | IllegalAccessException e) {
      throw new IllegalStateException(method.toString(), e);
    }
  }

  private static Object sample(Parameter parameter) {
    Class<?> type = parameter.getType();
    if (type == String.class) {
      return "sample";
    }
    if (type == int.class) {
      return 7;
    }
    if (type == long.class) {
      return 11L;
    }
    if (type == byte.class) {
      return (byte) 1;
    }
    if (type == boolean.class) {
      return true;
    }
    if (type == UUID.class) {
      return new UUID(1, 2);
    }
    if (type == Data.class) {
      return new HeapData(DATA.toByteArray());
    }
    if (type == byte[].class) {
      return new byte[] {1, 2, 3};
    }
    if (Collection.class.isAssignableFrom(type)) {
      return collection(parameter.getParameterizedType().getTypeName());
    }
    if (type == PagingPredicateHolder.class) {
      AnchorDataListHolder anchors = new AnchorDataListHolder(List.of(), List.of());
      return new PagingPredicateHolder(
          anchors, DATA, DATA, 10, 0, (byte) 1, DATA, true, List.of(DATA));
    }
    if (type.getSimpleName().equals("IndexConfig")) {
      return new com.hazelcast.config.IndexConfig(com.hazelcast.config.IndexType.HASH, "field")
          .setName("sample");
    }
    throw new IllegalStateException("no sample for " + parameter);
  }

  private static Collection<?> collection(String type) {
    Data data = new HeapData(DATA.toByteArray());
    if (type.contains("Map$Entry<com.hazelcast.internal.serialization.Data, java.util.Coll")) {
      return List.of(Map.entry(data, List.of(data)));
    }
    if (type.contains("Map$Entry<com.hazelcast.internal.serialization.Data")) {
      return List.of(Map.entry(data, data));
    }
    if (type.contains("Map$Entry<java.lang.Integer, java.lang.Integer>")) {
      return List.of(Map.entry(1, 2));
    }
    if (type.contains("Map$Entry<java.util.UUID, java.lang.Long>")) {
      return List.of(Map.entry(new UUID(3, 4), 5L));
    }
    return type.contains("Data>") ? List.of(data) : List.of();
  }
}
