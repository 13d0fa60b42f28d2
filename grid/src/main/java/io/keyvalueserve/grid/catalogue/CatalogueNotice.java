package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.NodeEngineImpl;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;

/**
 * Tells one member of a record that changed, and is answered when the member has taken it in. So an
 * administrator who revokes a key knows, when the call returns, that it is revoked on every member.
 */
public final class CatalogueNotice extends MemberMessage {
  /** The factory's number in a member's configuration: "kvt" in ASCII. */
  private static final int FACTORY_ID = 0x6b7674;

  private String map = "";
  private String record = "";

  /** Creates an empty notice for deserialization. */
  public CatalogueNotice() {
    super(FACTORY_ID);
  }

  CatalogueNotice(String map, String record) {
    this();
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
    register(config, FACTORY_ID, CatalogueNotice::new);
  }

  @Override
  public void run() {
    NodeEngineImpl nodeEngine = (NodeEngineImpl) getNodeEngine();
    ((Receiver) nodeEngine.getNode().getNodeExtension()).catalogueChanged(map, record);
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
}
