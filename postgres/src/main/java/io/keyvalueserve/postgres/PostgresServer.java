package io.keyvalueserve.postgres;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door for PostgreSQL clients of one member: listens, and makes each connection a {@link
 * PostgresConnection}. Thread-safe.
 */
public final class PostgresServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresServer.class);
  private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(10);

  private final DoorHost host;
  private final EventLoopGroup loops;
  private final Channel listener;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Starts to listen.
   *
   * @return a server that accepts connections; the caller closes it
   * @throws IOException if the address cannot be listened at
   */
  public static PostgresServer start(PostgresConfig config, PostgresServices services)
      throws IOException {
    return new PostgresServer(config, services);
  }

  private PostgresServer(PostgresConfig config, PostgresServices services) throws IOException {
    boolean hasEpoll = Epoll.isAvailable();
    this.host = new DoorHost(config, services);
    this.loops =
        new MultiThreadIoEventLoopGroup(
            config.eventLoops(),
            new DefaultThreadFactory("postgres", true),
            hasEpoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(hasEpoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .handler(new PacedAccepts(services.policy().peers()))
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(config.mostPendingBytes() / 4, config.mostPendingBytes()))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new PostgresConnection(host));
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
    LOG.info("PostgreSQL at {}", address());
  }

  /** Returns the address on which it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Returns the port on which it listens. */
  public int port() {
    return address().getPort();
  }

  /** Returns the number of open connections. */
  public int connections() {
    return host.connections();
  }

  /**
   * Stops to listen, lets statements that run end, and closes every connection; after some seconds,
   * whatever they are at. Returns when all are closed. Blocks; not for an event loop.
   */
  @Override
  public void close() {
    close(CLOSE_DEADLINE);
  }

  /** Closes, waiting no longer than this for statements and clients. */
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
    LOG.info("the PostgreSQL door is closed");
  }
}
