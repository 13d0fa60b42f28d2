package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.LocalScriptStore;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.fairness.Waits;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.resp.command.ServerFacts;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A whole session of the tenant {@code dev} without a network: bytes in, bytes out. */
final class EmbeddedSession implements AutoCloseable {
  private final Authenticator anybody =
      new Authenticator() {
        @Override
        public Authentication authenticate(String tenant, byte[] accessKey) {
          return Authentication.Refused.REFUSED;
        }

        @Override
        public Authentication authenticateToken(byte[] accessKey) {
          return Authentication.Refused.REFUSED;
        }

        @Override
        public Authentication authenticateAnonymous() {
          return new Authentication.Accepted(TestMember.identity(comer));
        }
      };

  /** Whom the next connection speaks for. */
  private String comer = "dev";

  private final SessionHost host;
  private final EmbeddedChannel channel;
  private final @Nullable EmbeddedChannel rival;

  static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_800_000_000));

  /** Over this engine, which tells the time by {@link #CLOCK}. */
  EmbeddedSession(Engine engine) {
    this(engine, false);
  }

  /**
   * @param hasRival whether a session of another tenant is on the same event loop: then slices are
   *     as short as they can be
   */
  EmbeddedSession(Engine engine, boolean hasRival) {
    host =
        new SessionHost(
            RespServerConfig.at(new InetSocketAddress(0)).withMostValueBytes(1 << 20),
            new RespServices(
                engine,
                new TenantPolicy(
                    anybody,
                    new SessionRegistry(identity -> true),
                    new TenantMeters(2),
                    new UsageBook(UUID.randomUUID(), 0),
                    TestMember.NO_GRANTS,
                    new Admissions(System::nanoTime),
                    AccessAudit.NONE),
                () -> new ServerFacts("0.1.0", "member-1", "uuid", Instant.EPOCH, 1),
                CLOCK,
                new LocalScriptStore(),
                () -> TestMember.RATES,
                tenant -> 1,
                new Slicing(1, 1, 1, 0),
                System::nanoTime),
            Transport.NIO);
    channel = new EmbeddedChannel(new RespSession(host, 1));
    comer = "acme";
    rival = hasRival ? new EmbeddedChannel(new RespSession(host, 2)) : null;
    comer = "dev";
  }

  /** Sends bytes; answers with those that come back. */
  String send(byte[] bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes));
    return receive();
  }

  /** The same with bytes outside the Java heap, as most transports have them. */
  String sendOffHeap(byte[] bytes) {
    channel.writeInbound(Unpooled.directBuffer(bytes.length).writeBytes(bytes));
    return receive();
  }

  /** Has bytes come without serving them, if it may wait. */
  void read(byte[] bytes) {
    channel.pipeline().fireChannelRead(Unpooled.copiedBuffer(bytes));
  }

  /** What has come back since the last time. */
  String receive() {
    channel.runPendingTasks();
    StringBuilder replies = new StringBuilder();
    while (channel.readOutbound() instanceof ByteBuf buffer) {
      replies.append(buffer.toString(ISO_8859_1));
      buffer.release();
    }
    return replies.toString();
  }

  /** Sends bytes and looks at nothing that comes back: allocates only what the session does. */
  void sendAndDrop(ByteBuf bytes) {
    channel.writeInbound(bytes.retainedDuplicate());
    while (channel.readOutbound() instanceof ByteBuf buffer) {
      buffer.release();
    }
  }

  /** Sends text of one byte for each character; answers with what comes back. */
  String send(String latin) {
    return send(latin.getBytes(ISO_8859_1));
  }

  /** Sends bytes in pieces of random lengths; answers with those that come back. */
  String send(byte[] bytes, Random random) {
    StringBuilder replies = new StringBuilder();
    for (int at = 0; at < bytes.length && isOpen(); ) {
      int length = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 200));
      replies.append(send(Arrays.copyOfRange(bytes, at, at + length)));
      at += length;
    }
    return replies.toString();
  }

  /** How often it has waited for its turn. */
  long waits() {
    return host.waits().readings(0).stream().mapToLong(Waits::waits).sum();
  }

  /** The client leaves, with a request begun or not. */
  void closeByClient() {
    channel.close().syncUninterruptibly();
    channel.runPendingTasks();
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Whether it takes in more. */
  boolean isReading() {
    return channel.config().isAutoRead();
  }

  @Override
  public void close() {
    channel.finishAndReleaseAll();
    if (rival != null) {
      rival.finishAndReleaseAll();
    }
  }
}
