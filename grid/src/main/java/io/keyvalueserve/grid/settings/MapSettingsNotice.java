package io.keyvalueserve.grid.settings;

import com.hazelcast.config.Config;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Tells one member of a map's settings, and is answered with how far it has come with them; to be
 * sent again until it is through. Without settings it asks for all that the member knows.
 */
public final class MapSettingsNotice extends Operation implements IdentifiedDataSerializable {
  /** The factory's number in a member's configuration: "kvm" in ASCII. */
  static final int FACTORY_ID = 0x6b766d;

  private static final int CLASS_ID = 1;
  private static final String EVERYTHING = "";

  private String settings = EVERYTHING;
  private String answer = "";

  /** For deserialization, and to ask for everything. */
  public MapSettingsNotice() {}

  MapSettingsNotice(String settings) {
    this.settings = settings;
  }

  /** A member's node extension, as far as it takes notices. */
  public interface Receiver {
    /** What knows the settings; null as long as the member has not read them. */
    @Nullable GridMapSettings mapSettings();
  }

  /** Makes a member understand notices. */
  static void register(Config config) {
    DataSerializableFactory factory =
        typeId -> {
          if (typeId != CLASS_ID) {
            throw new IllegalArgumentException("no such class: typeId=" + typeId);
          }
          return new MapSettingsNotice();
        };
    config.getSerializationConfig().addDataSerializableFactory(FACTORY_ID, factory);
  }

  @Override
  public void run() {
    NodeEngineImpl nodeEngine = (NodeEngineImpl) getNodeEngine();
    GridMapSettings known = ((Receiver) nodeEngine.getNode().getNodeExtension()).mapSettings();
    if (settings.equals(EVERYTHING)) {
      answer = known == null ? "" : known.everything();
    } else {
      answer = (known == null ? Progress.UNDER_WAY : known.told(settings)).text();
    }
  }

  @Override
  public Object getResponse() {
    return answer;
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
    out.writeString(settings);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    String read = in.readString();
    settings = read == null ? EVERYTHING : read;
  }
}
