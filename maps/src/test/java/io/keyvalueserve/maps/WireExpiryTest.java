package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.map.impl.record.Records;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryMetadata;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expiries go through Hazelcast's own wire form, which knows seconds only. */
final class WireExpiryTest {
  private static final InternalSerializationService SERIALIZATION =
      new DefaultSerializationServiceBuilder().build();

  @ParameterizedTest
  @ValueSource(longs = {1_800_000_000_000L, 1_800_000_000_001L, 1_800_000_000_999L})
  void keepsItsMillisecondsThroughHazelcastsSeconds(long at) throws IOException {
    WireExpiry arrived = migrate(expiry(90_001, Long.MAX_VALUE, at));
    assertThat(arrived.getExpirationTime()).isEqualTo(at);
    assertThat(arrived.getMaxIdle()).isEqualTo(Long.MAX_VALUE);
    assertThat(arrived.getTtl()).isBetween(90_001L, 91_000L);
  }

  @Test
  void isRoundedUpNeverDownWithAnIdleTime() throws IOException {
    WireExpiry arrived = migrate(expiry(90_001, 1_500, 1_800_000_000_001L));
    assertThat(arrived.getExpirationTime()).isEqualTo(1_800_000_001_000L);
    assertThat(arrived.getMaxIdle()).isEqualTo(2_000);
  }

  @Test
  void becomesNeverBeyondHazelcastsSeconds() throws IOException {
    long at = WireExpiry.expiration(Long.MAX_VALUE, Long.MAX_VALUE - 1);
    assertThat(at).isEqualTo(WireExpiry.LATEST);
    assertThat(read(expiry(Long.MAX_VALUE, Long.MAX_VALUE, at)).getExpirationTime())
        .isEqualTo(Long.MAX_VALUE);
  }

  private static WireExpiry expiry(long ttl, long maxIdle, long at) {
    return new WireExpiry(ttl, maxIdle, at, at - 90_000);
  }

  /** As a member that gets the entry takes the times in. */
  private static WireExpiry migrate(ExpiryMetadata sent) throws IOException {
    ExpiryMetadata read = read(sent);
    return new WireExpiry(
        read.getTtl(),
        WireExpiry.maxIdle(read.getMaxIdle()),
        WireExpiry.expiration(read.getMaxIdle(), read.getExpirationTime()),
        read.getLastUpdateTime());
  }

  private static ExpiryMetadata read(ExpiryMetadata sent) throws IOException {
    try (var out = SERIALIZATION.createObjectDataOutput()) {
      Records.writeExpiry(out, sent);
      return Records.readExpiry(SERIALIZATION.createObjectDataInput(out.toByteArray()));
    }
  }
}
