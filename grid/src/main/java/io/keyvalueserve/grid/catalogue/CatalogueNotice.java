package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;

/**
 * Tells one member of a record that changed, and is answered when the member has taken it in. So an
 * administrator who revokes a key knows, when the call returns, that it is revoked on every member.
 */
public final class CatalogueNotice extends Operation implements IdentifiedDataSerializable {
  /** The factory's number in a member's configuration: "kvt" in ASCII. */
  static final int FACTORY_ID = 0x6b7674;

  private static final int CLASS_ID = 1;

  private String map = "";
  private String record = "";

  /** For deserialization. */
  public CatalogueNotice() {}

  CatalogueNotice(String map, String record) {
    this.map = map;
    this.record = record;
  }

  /** A member's node extension, as far as it takes notices. */
  public interface Receiver {
    /** Takes in a record of a system map, in the form it is stored in. Does not block. */
    void catalogueChanged(String map, String record);
  }

  /** Makes a member understand notices. */
  public static void register(Config config) {
    DataSerializableFactory factory =
        typeId -> {
          if (typeId != CLASS_ID) {
            throw new IllegalArgumentException("no such class: typeId=" + typeId);
          }
          return new CatalogueNotice();
        };
    config.getSerializationConfig().addDataSerializableFactory(FACTORY_ID, factory);
  }

  @Override
  public void run() {
    NodeEngineImpl nodeEngine = (NodeEngineImpl) getNodeEngine();
    ((Receiver) nodeEngine.getNode().getNodeExtension()).catalogueChanged(map, record);
  }

  @Override
  public int getFactoryId() {
    return FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return CLASS_ID;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeString(map);
    out.writeString(record);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    map = text(in);
    record = text(in);
  }

  private static String text(ObjectDataInput in) throws IOException {
    String read = in.readString();
    return read == null ? "" : read;
  }
}
