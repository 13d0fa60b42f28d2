package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Ports that nobody uses. */
final class Ports {
  private static final long START_SECONDS = 60;

  /** Below the range that systems take the ports of outgoing connections from. */
  private static final int LOWEST = 15_000;

  private static final int HIGHEST = 31_000;
  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  private Ports() {}

  /**
   * A port that stays free until its server listens, and while that is down: no other call returns
   * it, and no connection takes it. One of the usual range could even connect to itself.
   */
  static int free() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (TAKEN.add(port) && isFree(port)) {
        return port;
      }
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
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!isOpen(port)) {
      process.requireAlive();
      if (System.nanoTime() > deadline) {
        throw new BenchException(
            "a server did not listen at port " + port + " within " + START_SECONDS + " s");
      }
      Clock.sleepMillis(20);
    }
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
