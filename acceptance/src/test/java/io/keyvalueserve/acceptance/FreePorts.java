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
 * of outgoing connections, and beside that of the benches, so that none is taken between being
 * chosen and being used. None is handed out twice: each JVM of those that run tests side by side
 * has a range of its own.
 */
final class FreePorts {
  private static final int RANGE = 2_000;
  private static final int LOWEST = 9_000 + RANGE * (fork() - 1);
  private static final int HIGHEST = LOWEST + RANGE;
  private static final int ATTEMPTS = 1_000;
  private static final Set<Integer> HANDED_OUT = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  /** The number of this JVM among those that run tests side by side, from 1. */
  private static int fork() {
    String fork = System.getProperty("kvs.acceptance.fork", "fork-1");
    return Integer.parseInt(fork.substring(fork.indexOf('-') + 1));
  }

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
