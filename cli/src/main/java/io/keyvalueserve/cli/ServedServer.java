package io.keyvalueserve.cli;

import io.keyvalueserve.server.ServedMember;
import io.keyvalueserve.server.StartException;
import io.keyvalueserve.server.config.ServerConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a server until it is told to end. When the cluster has gone on without it, the server is
 * closed and started again with the same settings and ports: it joins as after a crash.
 *
 * <p>Thread-safe.
 */
final class ServedServer {
  private static final long PAUSE_MILLIS = 1_000;

  /** A machine that is gone for good answers nothing, either. */
  private static final long MOST_SECONDS_APART = 60;

  private final Consumer<String> tell;
  private final Semaphore turns = new Semaphore(0);
  private final CountDownLatch closed = new CountDownLatch(1);
  private ServerConfig config;
  private ServedMember server;
  private volatile boolean ending;

  /** The thread that joins again, which may wait for a majority; null if none does. */
  private volatile @Nullable Thread joining;

  /**
   * @param tell prints a line for the operator
   */
  ServedServer(ServedMember server, Consumer<String> tell) {
    this.server = server;
    this.config = server.configWithPorts();
    this.tell = tell;
    server.whenOutcast(turns::release);
  }

  /** Serves until {@link #end} has ended the server. */
  void serve() throws InterruptedException {
    while (!ending) {
      turns.acquire();
      if (!ending) {
        joinAgain();
      }
    }
    closed.await();
  }

  private synchronized void joinAgain() throws InterruptedException {
    tell.accept("this member has left its cluster: joining again");
    List<InetSocketAddress> unheard = server.unheard();
    server.close();
    joining = Thread.currentThread();
    try {
      awaitReachable(unheard);
      while (!ending) {
        try {
          server = ServedMember.start(config);
          server.whenOutcast(turns::release);
          tell.accept("joined again");
          return;
        } catch (StartException e) {
          tell.accept("cannot join yet: " + e.getMessage());
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
      }
    } finally {
      joining = null;
    }
  }

  /**
   * Waits until the members are reached again that were not when this one was left behind: others
   * would have to part with one of the two again. A member that is not there need not be waited
   * for.
   */
  private void awaitReachable(List<InetSocketAddress> members) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS_APART);
    boolean told = false;
    for (InetSocketAddress member : members) {
      while (!ending && !answers(member) && System.nanoTime() < deadline) {
        if (!told) {
          tell.accept("this member waits until it reaches " + member + " again");
        }
        told = true;
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS / 4);
      }
    }
  }

  /** Returns whether packets pass both ways. They do if a connection is made or refused. */
  private static boolean answers(InetSocketAddress member) {
    try (Socket socket = new Socket()) {
      socket.connect(member, (int) PAUSE_MILLIS);
      return true;
    } catch (ConnectException refused) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Ends the server in order, and {@link #serve}. Blocks. */
  void end() {
    ending = true;
    turns.release();
    Thread waits = joining;
    if (waits != null) {
      waits.interrupt();
    }
    synchronized (this) {
      server.close();
    }
    closed.countDown();
  }
}
