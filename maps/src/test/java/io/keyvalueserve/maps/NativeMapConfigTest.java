package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.CacheDeserializedValues;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MetadataPolicy;
import org.junit.jupiter.api.Test;

class NativeMapConfigTest {
  @Test
  void nothingIsKeptOnTheHeapForQueries() {
    MapConfig wanted =
        new MapConfig("map")
            .setMetadataPolicy(MetadataPolicy.CREATE_ON_UPDATE)
            .setCacheDeserializedValues(CacheDeserializedValues.ALWAYS);
    MapConfig served = NativeMapConfig.of(wanted);
    assertThat(served.getMetadataPolicy()).isEqualTo(MetadataPolicy.OFF);
    assertThat(served.getCacheDeserializedValues()).isEqualTo(CacheDeserializedValues.NEVER);
    assertThat(wanted.getMetadataPolicy()).isEqualTo(MetadataPolicy.CREATE_ON_UPDATE);
  }
}
