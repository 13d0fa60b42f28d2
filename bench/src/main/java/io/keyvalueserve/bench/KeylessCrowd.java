package io.keyvalueserve.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Peers without a key at one door, driven by one thread: each has a connection and a {@link
 * KeylessManner}. What the server closes is opened anew at once. Other threads may ask how many
 * connections are open, and how many were.
 */
final class KeylessCrowd implements Runnable {
  /** Each address of loopback has 28,000 ports for clients. */
  private static final int ADDRESSES = 250;

  private static final int AT_ONCE = 64;
  private static final int BUFFER = 1 << 14;
  private static final long LONGEST_WAIT_MILLIS = 5;
  private static final long DRIP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final InetSocketAddress door;
  private final KeylessWords words;
  private final int wanted;
  private final double share;
  private final BooleanSupplier over;
  private final BooleanSupplier counts;
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
  private final Deque<Peer> dripping = new ArrayDeque<>();
  private long started;
  private int trying; // open, or about to be
  private final AtomicInteger open = new AtomicInteger();
  private volatile boolean wasFull;
  private long opened;
  private long refused;
  private long closed;

  /** One connection. */
  private static final class Peer {
    final SocketChannel channel;
    final KeylessManner manner;
    boolean isOpen;
    int dripped;
    long due;

    Peer(SocketChannel channel, KeylessManner manner) {
      this.channel = channel;
      this.manner = manner;
    }
  }

  /**
   * Makes a crowd that has not begun.
   *
   * @param port the door's
   * @param wanted how many connections
   * @param share of a core that its thread may use once all of them were opened
   * @param over whether it is to end
   * @param counts whether what happens counts
   */
  KeylessCrowd(
      int port,
      KeylessWords words,
      int wanted,
      double share,
      BooleanSupplier over,
      BooleanSupplier counts) {
    this.door = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.words = words;
    this.wanted = wanted;
    this.share = share;
    this.over = over;
    this.counts = counts;
  }

  /** Returns how many connections are open, as this side sees it. */
  int open() {
    return open.get();
  }

  /** Returns whether as many as it wants were opened, if not at the same time. */
  boolean wasFull() {
    return wasFull;
  }

  /**
   * Returns what it saw. Its thread has to have ended.
   *
   * @param meanOpen how many connections were open, on average
   */
  KeylessSeen seen(double meanOpen) {
    return new KeylessSeen(wanted, meanOpen, opened, refused, closed);
  }

  @Override
  public void run() {
    try (Selector selector = Selector.open()) {
      try {
        CpuShare diet = newDiet();
        boolean hungry = false;
        while (!over.getAsBoolean()) {
          boolean waits = connect(selector);
          selector.select(this::serve, waits ? LONGEST_WAIT_MILLIS : 1);
          drip();
          if (wasFull && !hungry) {
            hungry = true;
            diet = newDiet();
          }
          long rest = hungry ? diet.restNanos() : 0;
          if (rest > 0) {
            LockSupport.parkNanos(rest);
          }
        }
      } finally {
        List<SelectionKey> all = new ArrayList<>(selector.keys());
        all.forEach(key -> Sockets.close(((Peer) key.attachment()).channel));
      }
    } catch (IOException e) {
      throw new BenchException("peers without a key need a selector", e);
    }
  }

  private CpuShare newDiet() {
    return new CpuShare(share, THREADS::getCurrentThreadCpuTime, System::nanoTime);
  }

  /** Opens some of those that are missing; returns whether none is missing then. */
  private boolean connect(Selector selector) {
    for (int i = 0; i < AT_ONCE && trying < wanted; i++) {
      try {
        connectOne(selector);
      } catch (IOException e) {
        refused();
        return true; // whatever is short is short for the next one, too
      }
    }
    return trying == wanted;
  }

  private void connectOne(Selector selector) throws IOException {
    long number = started++;
    SocketChannel channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.bind(new InetSocketAddress(source(number), 0));
      Peer peer = new Peer(channel, KeylessManner.of(number));
      boolean connected = channel.connect(door);
      channel.register(selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, peer);
      trying++;
      if (connected) {
        begin(peer);
      }
    } catch (IOException | RuntimeException e) {
      Sockets.close(channel);
      throw e;
    }
  }

  private static InetAddress source(long number) throws UnknownHostException {
    byte last = (byte) (2 + number % ADDRESSES);
    return InetAddress.getByAddress(new byte[] {127, 0, 2, last});
  }

  private void begin(Peer peer) {
    peer.isOpen = true;
    open.incrementAndGet();
    if (trying == wanted) {
      wasFull = true;
    }
    if (counts.getAsBoolean()) {
      opened++;
    }
    if (peer.manner.speaksFirst()) {
      send(peer, words.of(peer.manner, true));
    } else if (peer.manner == KeylessManner.DRIPS) {
      peer.due = System.nanoTime();
      dripping.addFirst(peer);
      drip();
    }
  }

  private void serve(SelectionKey key) {
    if (!key.isValid()) {
      return; // it was closed in this round
    }
    Peer peer = (Peer) key.attachment();
    try {
      if (key.isConnectable()) {
        peer.channel.finishConnect();
        key.interestOps(SelectionKey.OP_READ);
        begin(peer);
      } else if (key.isReadable()) {
        read(peer);
      }
    } catch (IOException e) {
      end(peer);
    }
  }

  private void read(Peer peer) throws IOException {
    in.clear();
    int count = peer.channel.read(in);
    if (count < 0) {
      end(peer);
    } else if (count > 0 && peer.manner.repeats()) {
      send(peer, words.of(peer.manner, false));
    }
  }

  /** Sends as much as is taken at once: what is left over makes half a message of a whole one. */
  private void send(Peer peer, byte[] bytes) {
    try {
      int _ = peer.channel.write(ByteBuffer.wrap(bytes));
    } catch (IOException e) {
      end(peer);
    }
  }

  private void drip() {
    long now = System.nanoTime();
    for (Peer next; (next = dripping.peek()) != null && next.due - now <= 0; ) {
      dripping.remove();
      if (next.isOpen) {
        byte[] all = words.of(KeylessManner.DRIPS, false);
        send(next, new byte[] {all[next.dripped++ % all.length]});
        next.due = now + DRIP_NANOS;
        dripping.add(next);
      }
    }
  }

  /** The server has closed it, or never took it. */
  private void end(Peer peer) {
    if (peer.isOpen) {
      peer.isOpen = false;
      open.decrementAndGet();
      if (counts.getAsBoolean()) {
        closed++;
      }
    } else {
      refused();
    }
    trying--;
    Sockets.close(peer.channel);
  }

  private void refused() {
    if (counts.getAsBoolean()) {
      refused++;
    }
  }
}
