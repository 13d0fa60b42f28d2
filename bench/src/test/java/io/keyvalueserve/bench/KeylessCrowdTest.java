package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: as many connections as are wanted, which do what their manners say and come back when they
 * are closed. Method: a crowd beside a listener that a test accepts from.
 */
class KeylessCrowdTest {
  private static final int WANTED = 2 * KeylessManner.values().length;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

  private final List<SocketChannel> accepted = new ArrayList<>();
  private ServerSocketChannel listener;
  private Selector selector;
  private KeylessCrowd crowd;
  private Thread thread;
  private final AtomicInteger turns = new AtomicInteger();
  private volatile boolean over;

  @BeforeEach
  void start() throws Exception {
    selector = Selector.open();
    listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
    int port = listener.socket().getLocalPort();
    Login login = new Login(port, "kvs", "acme", "secret");
    crowd =
        new KeylessCrowd(
            port,
            new KeylessWords(HostileDoor.RESP, login, new SplittableRandom(1)),
            WANTED,
            1,
            () -> {
              turns.incrementAndGet();
              return over;
            },
            () -> true);
    thread = Thread.ofPlatform().start(crowd);
  }

  @AfterEach
  void end() throws Exception {
    over = true;
    thread.join();
    for (SocketChannel channel : accepted) {
      channel.close();
    }
    listener.close();
    selector.close();
  }

  @Test
  void opensAsManyAsAreWantedFromManyAddresses() throws Exception {
    acceptUntil(() -> accepted.size() == WANTED && crowd.wasFull() && crowd.open() == WANTED);
    Set<InetAddress> from = new HashSet<>();
    for (SocketChannel channel : accepted) {
      from.add(((InetSocketAddress) channel.getRemoteAddress()).getAddress());
    }
    assertThat(from).hasSize(WANTED);
    assertThat(crowd.open()).isEqualTo(WANTED);
  }

  @Test
  void comesBackWhenItIsClosed() throws Exception {
    acceptUntil(() -> accepted.size() == WANTED);
    accepted.getFirst().close();
    accepted.getLast().close();
    acceptUntil(() -> accepted.size() == WANTED + 2);
    over = true;
    thread.join();
    KeylessSeen seen = crowd.seen(7);
    assertThat(seen).isEqualTo(new KeylessSeen(WANTED, 7, WANTED + 2, 0, 2));
  }

  @Test
  void countsWhatCannotBeOpened() throws Exception {
    acceptUntil(() -> accepted.size() == WANTED);
    listener.close();
    int _ = selector.selectNow(); // only now it is closed
    accepted.getFirst().close();
    await(() -> crowd.open() < WANTED);
    int before = turns.get();
    await(() -> turns.get() > before + 3);
    over = true;
    thread.join();
    assertThat(crowd.seen(0).closed()).isEqualTo(1);
    assertThat(crowd.seen(0).refused()).isPositive();
  }

  @Test
  void repeatsWhatIsAnsweredAndNothingElse() throws Exception {
    acceptUntil(() -> accepted.size() == WANTED);
    SocketChannel dripping = accepted.getFirst();
    Map<KeylessManner, String> first = new EnumMap<>(KeylessManner.class);
    Map<KeylessManner, String> again = new EnumMap<>(KeylessManner.class);
    for (int i = 0; i < KeylessManner.values().length; i++) {
      KeylessManner manner = KeylessManner.of(i);
      SocketChannel peer = accepted.get(i);
      dripping = manner == KeylessManner.DRIPS ? peer : dripping;
      first.put(manner, manner.speaksFirst() ? read(peer) : "");
      peer.write(ByteBuffer.wrap("-ERR no\r\n".getBytes(ISO_8859_1)));
      again.put(manner, manner.repeats() ? read(peer) : "");
    }
    assertThat(first.get(KeylessManner.WRONG_KEY))
        .contains("AUTH", "acme")
        .doesNotContain("secret")
        .isEqualTo(again.get(KeylessManner.WRONG_KEY));
    assertThat(first.get(KeylessManner.HALF)).contains("$16000000\r\nxxx");
    assertThat(first.get(KeylessManner.UNASKED))
        .contains("GET")
        .isEqualTo(again.get(KeylessManner.UNASKED));
    assertThat(again.get(KeylessManner.GARBAGE)).isNotEmpty();
    assertThat(read(dripping)).startsWith("*");
  }

  private static void await(BooleanSupplier done) {
    long deadline = System.nanoTime() + PATIENCE;
    while (!done.getAsBoolean() && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(done.getAsBoolean()).isTrue();
  }

  private static String read(SocketChannel channel) throws Exception {
    ByteBuffer in = ByteBuffer.allocate(4096);
    channel.configureBlocking(true);
    assertThat(channel.read(in)).isPositive();
    return new String(in.array(), 0, in.position(), ISO_8859_1);
  }

  private void acceptUntil(BooleanSupplier done) throws Exception {
    long deadline = System.nanoTime() + PATIENCE;
    while (!done.getAsBoolean() && System.nanoTime() < deadline) {
      int _ = selector.select(10);
      selector.selectedKeys().clear();
      for (SocketChannel next; (next = listener.accept()) != null; ) {
        accepted.add(next);
      }
    }
    assertThat(done.getAsBoolean()).isTrue();
  }
}
