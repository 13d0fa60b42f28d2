package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapExecuteOnAllKeysCodec;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializable;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProcessorGateTest {
  private static final int FACTORY = 1001;

  private final InternalSerializationService serialization =
      new DefaultSerializationServiceBuilder().build();
  private final ProcessorGate gate =
      new ProcessorGate(
          Set.of(Listed.class.getName(), Plain.class.getName())::contains, Set.of(FACTORY));

  @Test
  void opensWhatIsListedInEverySerialization() {
    assertThatCode(() -> gate.check(request(new Listed()))).doesNotThrowAnyException();
    assertThatCode(() -> gate.check(request(new Plain()))).doesNotThrowAnyException();
    assertThatCode(() -> gate.check(request(new Identified(FACTORY)))).doesNotThrowAnyException();
  }

  @Test
  void refusesAndNamesWhatIsNotListed() {
    assertThatThrownBy(() -> gate.check(request(new Other())))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining(Other.class.getName())
        .hasMessageContaining("extensions");
    assertThatThrownBy(() -> gate.check(request(new Identified(FACTORY + 1))))
        .isInstanceOf(MessageRefusedException.class);
    EntryProcessor<Object, Object, Object> lambda = entry -> null;
    assertThatThrownBy(() -> gate.check(request(lambda)))
        .isInstanceOf(MessageRefusedException.class);
    assertThatThrownBy(() -> gate.check(request("no processor at all")))
        .isInstanceOf(MessageRefusedException.class);
  }

  @Test
  void refusesBytesThatAreCutOrChanged() {
    byte[] whole = serialization.toData(new Other()).toByteArray();
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = Arrays.copyOf(whole, HeapData.HEAP_DATA_OVERHEAD + random.nextInt(40));
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      assertThatThrownBy(() -> gate.check(request(new HeapData(bytes))))
          .isInstanceOf(MessageRefusedException.class);
    }
  }

  private ClientMessage request(Object processor) {
    Data data = processor instanceof Data given ? given : serialization.toData(processor);
    return MapExecuteOnAllKeysCodec.encodeRequest("map", data);
  }

  static class Other implements EntryProcessor<Object, Object, Object> {
    @Override
    public Object process(Map.Entry<Object, Object> entry) {
      return entry;
    }
  }

  static final class Listed extends Other {}

  static final class Plain extends Other implements DataSerializable {
    @Override
    public void writeData(ObjectDataOutput out) {}

    @Override
    public void readData(ObjectDataInput in) {}
  }

  static final class Identified extends Other implements IdentifiedDataSerializable {
    private final int factory;

    Identified(int factory) {
      this.factory = factory;
    }

    @Override
    public int getFactoryId() {
      return factory;
    }

    @Override
    public int getClassId() {
      return 1;
    }

    @Override
    public void writeData(ObjectDataOutput out) {}

    @Override
    public void readData(ObjectDataInput in) {}
  }
}
