package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ListenQueuesTest {
  @Test
  void findsTheCounterBelowItsName() {
    List<String> netstat =
        List.of(
            "TcpExt: SyncookiesSent ListenOverflows ListenDrops",
            "TcpExt: 1 22 333",
            "IpExt: InOctets",
            "IpExt: 4");
    assertThat(ListenQueues.overflows(netstat)).isEqualTo(22);
    assertThatThrownBy(() -> ListenQueues.overflows(netstat.subList(2, 4)))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("ListenOverflows");
  }
}
