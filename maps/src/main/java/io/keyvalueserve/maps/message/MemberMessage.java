package io.keyvalueserve.maps.message;

import com.hazelcast.config.Config;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * Something that one member says to another, and that knows what is to be done there. It travels
 * under two numbers, which never change their meaning, as members of two versions may talk while a
 * cluster is upgraded: that of its factory, which each kind of message has for itself, and its own
 * there, which is 1.
 */
public abstract class MemberMessage extends Operation implements IdentifiedDataSerializable {
  private static final int CLASS_ID = 1;

  private final int factoryId;

  /**
   * One that is empty, or will be filled.
   *
   * @param factoryId the same for all of its kind
   */
  protected MemberMessage(int factoryId) {
    this.factoryId = factoryId;
  }

  /**
   * Makes a member understand a kind of message; before it starts.
   *
   * @param factoryId as the messages have it
   * @param empties make what is read into: a message first, then what has the numbers 2, 3 and so
   *     on, as its answer
   */
  @SafeVarargs
  protected static void register(
      Config config, int factoryId, Supplier<IdentifiedDataSerializable>... empties) {
    DataSerializableFactory factory =
        typeId -> {
          if (typeId < CLASS_ID || typeId >= CLASS_ID + empties.length) {
            throw new IllegalArgumentException("no such class: typeId=" + typeId);
          }
          return empties[typeId - CLASS_ID].get();
        };
    config.getSerializationConfig().addDataSerializableFactory(factoryId, factory);
  }

  @Override
  public final int getFactoryId() {
    return factoryId;
  }

  @Override
  public final int getClassId() {
    return CLASS_ID;
  }

  /** Reads a text, as empty if there is none. */
  protected static String text(ObjectDataInput in) throws IOException {
    String read = in.readString();
    return read == null ? "" : read;
  }
}
