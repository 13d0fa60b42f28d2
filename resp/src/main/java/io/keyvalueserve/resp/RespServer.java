package io.keyvalueserve.resp;

import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.gates.fairness.Waits;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door for Redis clients of one member: listens, and makes each connection a {@link
 * RespSession}. Thread-safe.
 */
public final class RespServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RespServer.class);

  private static final int BACKLOG = 16 * 1024; // the system allows fewer: net.core.somaxconn

  /** Connections in one turn of an event loop: it has requests to serve. */
  private static final int ACCEPTS_AT_ONCE = 1;

  private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(10);

  static {
    // The system would accept ahead, and PacedAccepts could not hold it. Netty reads this property
    // when it first looks for io_uring.
    if (System.getProperty("io.netty.iouring.acceptMultiShotEnabled") == null) {
      System.setProperty("io.netty.iouring.acceptMultiShotEnabled", "false");
    }
    // Netty would take two stack traces of every 128th buffer, a tenth of a short request's cost;
    // who looks for a leak, as the tests do, sets the property.
    if (System.getProperty("io.netty.leakDetection.level") == null) {
      ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }
  }

  private final SessionHost host;
  private final EventLoopGroup loops;
  private final Channel listener;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Starts to listen.
   *
   * @return a server that accepts connections; the caller closes it
   * @throws IOException if the address cannot be listened at
   */
  public static RespServer start(RespServerConfig config, RespServices services)
      throws IOException {
    return new RespServer(config, services);
  }

  private RespServer(RespServerConfig config, RespServices services) throws IOException {
    Transport transport = Transport.choose(config.transport());
    this.host = new SessionHost(config, services, transport);
    int threads =
        config.eventLoops() > 0 ? config.eventLoops() : Runtime.getRuntime().availableProcessors();
    this.loops =
        new MultiThreadIoEventLoopGroup(
            threads, new LoopThreads(config.loopStart()), transport.ioHandlers(threads));
    ServerBootstrap server = new ServerBootstrap();
    transport.keepAlive(server);
    ChannelFuture bound =
        server
            .group(loops)
            .channel(transport.serverChannel())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(ACCEPTS_AT_ONCE))
            .handler(new PacedAccepts(host.peers()))
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(
                    config.output().holdBackBytes() / 4, config.output().holdBackBytes()))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new RespSession(host, host.nextId()));
                  }
                })
            .bind(config.address())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      var _ = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw new IOException(
          "cannot listen at "
              + config.address()
              + ": "
              + bound.cause().getMessage()
              + "; choose another port or address, or stop what uses this one",
          bound.cause());
    }
    this.listener = bound.channel();
    listener.pipeline().addLast(new AcceptFailures());
    host.listensAt(port());
    LOG.info("RESP at {} over {} on {} event loops", address(), transport.label(), threads);
  }

  /** Returns the address on which it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** The port it listens at. */
  public int port() {
    return address().getPort();
  }

  /** The channel that connections are accepted from. */
  Channel listener() {
    return listener;
  }

  /** Returns the transport that moves bytes: {@code io_uring}, {@code epoll} or {@code nio}. */
  public String transport() {
    return host.transport();
  }

  /** Returns the number of open connections. */
  public int connections() {
    return host.connections();
  }

  /** Returns the bytes of requests that may have been read ahead of clients that do not read. */
  long readAheadBytes() {
    return host.backlogRoom().held();
  }

  /** Returns the number of subscriptions of a kind that clients have at this member. */
  public long subscriptions(ChannelKind kind) {
    return host.channels().subscriptions(kind);
  }

  /** Returns the number of messages that were written to subscribers since the start. */
  public long deliveredMessages() {
    return host.channels().deliveredMessages();
  }

  /** Returns the number of subscribers that were cut off since the start, as they did not read. */
  public long subscribersCutOff() {
    return host.channels().subscribersCutOff();
  }

  /** Returns the bytes of large arguments and replies that its connections hold. */
  public long largeBytesHeld() {
    return host.largeBytes().held();
  }

  /**
   * Returns the time that each tenant's sessions have waited for each other and for those of other
   * tenants.
   */
  public Collection<Waits> waits() {
    return host.waits().readings(System.nanoTime()).stream()
        .filter(each -> each.tenant() != FairTurns.NO_TENANT)
        .toList();
  }

  /** Drops what is kept for the sessions of a tenant that has none at present. */
  public void dropAccounts(int tenantNumber) {
    host.dropAccounts(tenantNumber);
  }

  /** Forgets the waits of a tenant that was deleted. */
  public void forget(int tenantNumber) {
    host.forget(tenantNumber);
  }

  /**
   * Stops to listen and to read, answers what was read, and closes every connection; after some
   * seconds, whatever they are at. Returns when all are closed. Blocks; not for an event loop.
   */
  @Override
  public void close() {
    close(CLOSE_DEADLINE);
  }

  /** Closes, waiting no longer than this for clients and the engine. */
  public void close(Duration deadline) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    listener.close().awaitUninterruptibly();
    int late = host.drain(deadline);
    if (late > 0) {
      LOG.warn("{} connections had not finished in {} and were closed", late, deadline);
    }
    loops
        .shutdownGracefully(0, Math.max(1, deadline.toSeconds()), TimeUnit.SECONDS)
        .awaitUninterruptibly(deadline.toMillis());
    host.closeScripts();
    LOG.info("the RESP door is closed");
  }
}
