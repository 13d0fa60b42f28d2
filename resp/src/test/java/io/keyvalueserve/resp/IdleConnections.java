package io.keyvalueserve.resp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures what idle connections cost. Run as a program: arguments are the transport and the number
 * of connections; it prints live heap, direct memory and resident memory of the server and the
 * client ends together, for each connection.
 */
final class IdleConnections {
  private IdleConnections() {}

  public static void main(String[] arguments) throws IOException {
    RespServerConfig.TransportPreference transport =
        RespServerConfig.TransportPreference.valueOf(arguments[0].toUpperCase(Locale.ROOT));
    int count = Integer.parseInt(arguments[1]);
    try (TestMember member =
        TestMember.startDev(config -> config.withTransport(transport).withMostClients(2 * count))) {
      open(member, 200); // loads classes and pools
      long[] before = memory();
      List<SocketChannel> sockets = open(member, count);
      long[] after = memory();
      report(
          "%s: %d idle connections, for each: heap %d B, direct %d B, resident %d B"
              .formatted(
                  member.server().transport(),
                  sockets.size(),
                  (after[0] - before[0]) / count,
                  (after[1] - before[1]) / count,
                  (after[2] - before[2]) / count));
    }
    System.exit(0);
  }

  @SuppressWarnings("SystemOut") // a program that prints its result
  private static void report(String line) {
    System.out.println(line);
  }

  /** Connections that have been used once: a large pipeline in, its replies out. */
  private static List<SocketChannel> open(TestMember member, int count) throws IOException {
    List<SocketChannel> sockets = new ArrayList<>(count);
    byte[] pings = "PING\r\nSET k v\r\nGET k\r\n".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer replies = ByteBuffer.allocateDirect(64);
    for (int i = 0; i < count; i++) {
      var channel =
          SocketChannel.open(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), member.port()));
      channel.write(ByteBuffer.wrap(pings));
      replies.clear();
      while (replies.position() < "+PONG\r\n+OK\r\n$1\r\nv\r\n".length()) {
        channel.read(replies);
      }
      sockets.add(channel);
    }
    return sockets;
  }

  /** Live heap, direct memory, resident memory. */
  private static long[] memory() throws IOException {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    long direct = io.netty.util.internal.PlatformDependent.usedDirectMemory();
    long resident =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
            .findFirst()
            .orElse(0);
    return new long[] {heap, direct, resident};
  }
}
