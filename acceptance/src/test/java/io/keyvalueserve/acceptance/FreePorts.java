package io.keyvalueserve.acceptance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loopback ports that nobody listens on. They lie below the range from which systems take the ports
 * of outgoing connections, so that none is taken between being chosen and being used, and none is
 * handed out twice.
 */
final class FreePorts {
  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 31_000;
  private static final int ATTEMPTS = 1_000;
  private static final Set<Integer> HANDED_OUT = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  static int next() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (HANDED_OUT.add(port) && canListen(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free loopback port from "
            + LOWEST
            + " to "
            + HIGHEST
            + " in "
            + ATTEMPTS
            + " attempts");
  }

  private static boolean canListen(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
