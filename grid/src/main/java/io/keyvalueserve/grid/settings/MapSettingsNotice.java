package io.keyvalueserve.grid.settings;

import com.hazelcast.config.Config;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.NodeEngineImpl;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Tells one member of a map's settings, and is answered with how far it has come with them; to be
 * sent again until it is through. Without settings it asks for all that the member knows.
 */
public final class MapSettingsNotice extends MemberMessage {
  /** The factory's number in a member's configuration: "kvm" in ASCII. */
  private static final int FACTORY_ID = 0x6b766d;

  private static final String EVERYTHING = "";

  private String settings = EVERYTHING;
  private String answer = "";

  /** Creates a notice for deserialization, or to ask for everything. */
  public MapSettingsNotice() {
    super(FACTORY_ID);
  }

  MapSettingsNotice(String settings) {
    this();
    this.settings = settings;
  }

  /** A member's node extension, as far as it takes notices. */
  public interface Receiver {
    /** Returns the settings of maps; null as long as the member has not read them. */
    @Nullable GridMapSettings mapSettings();
  }

  /** Makes a member understand notices. */
  static void register(Config config) {
    register(config, FACTORY_ID, MapSettingsNotice::new);
  }

  @Override
  public void run() {
    NodeEngineImpl nodeEngine = (NodeEngineImpl) getNodeEngine();
    GridMapSettings known = ((Receiver) nodeEngine.getNode().getNodeExtension()).mapSettings();
    if (settings.equals(EVERYTHING)) {
      answer = known == null ? "" : known.everything();
    } else {
      answer = (known == null ? SettingsProgress.UNDER_WAY : known.told(settings)).text();
    }
  }

  @Override
  public Object getResponse() {
    return answer;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeString(settings);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    settings = text(in);
  }
}
