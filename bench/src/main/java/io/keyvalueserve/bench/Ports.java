package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** Ports that nobody uses. */
final class Ports {
  private static final long START_SECONDS = 60;

  private Ports() {}

  static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
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
