package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that nobody uses.
 *
 * <p>Benches that run side by side, as tests do, look for ports at the same time, and a server
 * listens seconds after its port was found. So who takes a port binds the datagram port of the same
 * number, which no server needs, for as long as it lives.
 */
final class Ports {
  private static final long START_SECONDS = 60;

  /** Below the range that systems take the ports of outgoing connections from. */
  private static final int LOWEST = 15_000;

  private static final int HIGHEST = 31_000;
  private static final Map<Integer, DatagramSocket> TAKEN = new ConcurrentHashMap<>();

  private Ports() {}

  /**
   * A port that stays free until its server listens, and while that is down: no other call returns
   * it, and no connection takes it. One of the usual range could even connect to itself.
   */
  static int free() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (take(port) && isFree(port)) {
        return port;
      }
    }
  }

  /** Takes a port, unless another bench has it. */
  static boolean take(int port) {
    try {
      TAKEN.put(port, new DatagramSocket(port, InetAddress.getLoopbackAddress()));
      return true;
    } catch (SocketException taken) {
      return false;
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  /** Waits until a server listens. */
  static void awaitOpen(int port, ServerProcess process) {
    process.await(() -> isOpen(port), 20, START_SECONDS, "a server did not listen at port " + port);
  }

  private static boolean isOpen(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (ConnectException notYet) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("port " + port + " cannot be asked", e);
    }
  }
}
