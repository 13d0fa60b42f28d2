package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void aPortIsTakenOnceAndCanBeListenedTo() throws IOException {
    Set<Integer> taken = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      int port = Ports.free();
      assertThat(taken.add(port)).as("port %d", port).isTrue();
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
  }

  @Test
  void otherBenchesSeeThatItIsTaken() {
    int port = Ports.free();
    assertThatThrownBy(() -> new DatagramSocket(port, InetAddress.getLoopbackAddress()).close())
        .isInstanceOf(SocketException.class);
  }

  @Test
  void whatAnotherBenchHasIsNotTaken() throws IOException {
    try (DatagramSocket other = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.take(other.getLocalPort())).isFalse();
    }
  }
}
