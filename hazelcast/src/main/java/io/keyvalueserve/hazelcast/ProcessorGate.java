package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import java.io.ObjectStreamConstants;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Lets a tenant run those entry processors that the operator has listed, and no others. Looks at
 * the head of the serialized processor, before anything is made of it:
 *
 * <pre>
 *   0           4      8
 *   | hash      | type | Java serialization:  stream header, object, class description, name
 *                      | identified object:   flags (bit 0 set), factory, class
 *                      | other object:        flags, length of the class's name, name
 * </pre>
 *
 * <p>Numbers are big-endian. Thread-safe.
 */
public final class ProcessorGate {
  private static final int TYPE_OFFSET = 4;
  private static final int BODY_OFFSET = 8;
  private static final byte IDENTIFIED = 1;

  private final Predicate<String> classes;
  private final Set<Integer> factories;

  /**
   * @param classes which classes are listed, by full name
   * @param factories the ids of the operator's factories, all of whose classes are open
   */
  public ProcessorGate(Predicate<String> classes, Set<Integer> factories) {
    this.classes = classes;
    this.factories = Set.copyOf(factories);
  }

  /**
   * Looks at a message of which the first part is a name and the second an entry processor.
   *
   * @throws RefusedException if the processor is not listed
   */
  void check(ClientMessage message) {
    Frame name = message.getStartFrame().next;
    Frame processor = name == null ? null : name.next;
    if (processor == null || processor.content.length <= BODY_OFFSET) {
      throw new MessageRefusedException("an entry processor is missing in the request");
    }
    ByteBuffer data = ByteBuffer.wrap(processor.content);
    int type = data.getInt(TYPE_OFFSET);
    data.position(BODY_OFFSET);
    if (type == SerializationConstants.CONSTANT_TYPE_DATA_SERIALIZABLE && isOfListedFactory(data)) {
      return;
    }
    Optional<String> className =
        switch (type) {
          case SerializationConstants.CONSTANT_TYPE_DATA_SERIALIZABLE -> nameOfPlain(data);
          case SerializationConstants.JAVA_DEFAULT_TYPE_SERIALIZABLE -> nameOfJava(data);
          default -> Optional.empty();
        };
    if (className.filter(classes).isEmpty()) {
      throw new MessageRefusedException(
          "the entry processor"
              + className.map(n -> " '" + n + "'").orElse("")
              + " is not open to tenants: the operator lists those that are under"
              + " 'extensions' in kvs.yaml");
    }
  }

  private boolean isOfListedFactory(ByteBuffer data) {
    int at = data.position();
    return data.remaining() > Integer.BYTES
        && (data.get(at) & IDENTIFIED) != 0
        && factories.contains(data.getInt(at + 1));
  }

  private static Optional<String> nameOfPlain(ByteBuffer data) {
    if (data.remaining() <= Integer.BYTES || (data.get() & IDENTIFIED) != 0) {
      return Optional.empty();
    }
    return text(data, data.getInt());
  }

  private static Optional<String> nameOfJava(ByteBuffer data) {
    boolean isObject =
        data.remaining() > 8
            && data.getShort() == ObjectStreamConstants.STREAM_MAGIC
            && data.getShort() == ObjectStreamConstants.STREAM_VERSION
            && data.get() == ObjectStreamConstants.TC_OBJECT
            && data.get() == ObjectStreamConstants.TC_CLASSDESC;
    return isObject ? text(data, Short.toUnsignedInt(data.getShort())) : Optional.empty();
  }

  private static Optional<String> text(ByteBuffer data, int length) {
    if (length <= 0 || length > data.remaining()) {
      return Optional.empty();
    }
    byte[] bytes = new byte[length];
    data.get(bytes);
    return Optional.of(new String(bytes, StandardCharsets.UTF_8));
  }
}
