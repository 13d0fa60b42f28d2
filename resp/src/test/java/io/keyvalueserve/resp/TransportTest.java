package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TransportTest {
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int TIMER = 5;

  @Test
  void loopsShareTheRoomForCompletions() {
    assertThat(IntStream.of(1, 2, 3, 4, 8, 16, 32, 500).map(Transport::completionQueueEntries))
        .containsExactly(32_768, 32_768, 16_384, 16_384, 8_192, 4_096, 2_048, 2_048);
  }

  /** As the kernel shows it: which timer of a socket runs, and how many hundredths it has left. */
  @ParameterizedTest
  @EnumSource(
      value = RespServerConfig.TransportPreference.class,
      names = {"AUTO", "EPOLL", "NIO"})
  void anIdleClientIsAskedAfterAsManySecondsAsConfigSays(
      RespServerConfig.TransportPreference transport) throws IOException {
    assumeTrue(Files.isReadable(Path.of("/proc/net/tcp")), "SKIPPED: there is no /proc/net/tcp");
    try (TestMember member = TestMember.startDev(config -> config.withTransport(transport));
        WireClient configured = member.connect();
        Socket idle = new Socket(InetAddress.getLoopbackAddress(), member.port())) {
      assertThat(configured.call("CONFIG", "GET", "tcp-keepalive")).endsWith("$3\r\n300\r\n");
      String[] timer = timer(member.port(), idle.getLocalPort()).split(":", -1);
      assertThat(timer[0]).as("the timer is that of keep-alive").isEqualTo("02");
      assertThat(Long.parseLong(timer[1], 16)).isBetween(20_000L, 30_000L);
    }
  }

  private static String timer(int local, int remote) throws IOException {
    for (String file : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(file))) {
        String[] fields = line.strip().split(" +", -1);
        if (fields[LOCAL].endsWith(hex(local)) && fields[REMOTE].endsWith(hex(remote))) {
          return fields[TIMER];
        }
      }
    }
    throw new AssertionError("no socket from port " + remote + " to " + local);
  }

  private static String hex(int port) {
    return String.format(Locale.ROOT, ":%04X", port);
  }
}
