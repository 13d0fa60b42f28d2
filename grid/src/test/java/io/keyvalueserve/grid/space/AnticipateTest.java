package io.keyvalueserve.grid.space;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyRanges;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import org.junit.jupiter.api.Test;

/** Goal: telling which keys will be asked for does no harm, at whatever time. */
class AnticipateTest {
  private static final byte[] BYTES = "first-second-value".getBytes(UTF_8);

  @Test
  void isIgnoredOnAMemberThatIsDown() {
    assumeThat(TestGrid.FAST_PATH.direct()).isTrue();
    KeyRanges keys = new KeyRanges(2);
    keys.begin(BYTES);
    keys.add(0, 5);
    keys.add(6, 6);
    DirectMap map;
    try (TestGrid grid = new TestGrid(1, 7)) {
      map =
          grid.engine(0)
              .space(new Identity(new TenantName("acme"), 1, "key"))
              .map(new MapName("orders"))
              .direct();
      map.anticipate(keys); // there is no such map yet
      map.write(BYTES, 0, 5, 13, 5, Expiry.NONE);
      map.anticipate(keys);
    }
    assertThatCode(() -> map.anticipate(keys)).doesNotThrowAnyException();
  }
}
