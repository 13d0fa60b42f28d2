package io.keyvalueserve.resp;

import io.keyvalueserve.resp.RespServerConfig.TransportPreference;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A way to move bytes between sockets and event loops, best first. */
enum Transport {
  IO_URING("io_uring") {
    @Override
    boolean isAvailable() {
      return IoUring.isAvailable();
    }

    @Override
    @Nullable Throwable unavailabilityCause() {
      return IoUring.unavailabilityCause();
    }

    @Override
    IoHandlerFactory ioHandlers(int loops) {
      return IoUringIoHandler.newFactory(
          new IoUringIoHandlerConfig().setCqSize(completionQueueEntries(loops)));
    }

    @Override
    Class<? extends ServerChannel> serverChannel() {
      return IoUringServerSocketChannel.class;
    }

    @Override
    void keepAlive(ServerBootstrap server) {
      setKeepAlive(
          server,
          IoUringChannelOption.TCP_KEEPIDLE,
          IoUringChannelOption.TCP_KEEPINTVL,
          IoUringChannelOption.TCP_KEEPCNT);
    }
  },
  EPOLL("epoll") {
    @Override
    boolean isAvailable() {
      return Epoll.isAvailable();
    }

    @Override
    @Nullable Throwable unavailabilityCause() {
      return Epoll.unavailabilityCause();
    }

    @Override
    IoHandlerFactory ioHandlers(int loops) {
      return EpollIoHandler.newFactory();
    }

    @Override
    Class<? extends ServerChannel> serverChannel() {
      return EpollServerSocketChannel.class;
    }

    @Override
    void keepAlive(ServerBootstrap server) {
      setKeepAlive(
          server,
          EpollChannelOption.TCP_KEEPIDLE,
          EpollChannelOption.TCP_KEEPINTVL,
          EpollChannelOption.TCP_KEEPCNT);
    }
  },
  NIO("nio") {
    @Override
    boolean isAvailable() {
      return true;
    }

    @Override
    @Nullable Throwable unavailabilityCause() {
      return null;
    }

    @Override
    IoHandlerFactory ioHandlers(int loops) {
      return NioIoHandler.newFactory();
    }

    @Override
    Class<? extends ServerChannel> serverChannel() {
      return NioServerSocketChannel.class;
    }

    @Override
    void keepAlive(ServerBootstrap server) {
      setKeepAlive(
          server,
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE),
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT));
    }
  };

  private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

  /** The seconds without a byte after which a client is asked whether it is there. */
  static final int KEEP_ALIVE_SECONDS = 300;

  private static final int KEEP_ALIVE_PROBES = 3;

  /** Room for thousands of connections of a loop that do something, or end, at the same moment. */
  private static final int MOST_COMPLETIONS = 32 * 1024;

  /**
   * The completions of all loops together if there are many loops. Netty keeps an object on the
   * heap for each.
   */
  private static final int ALL_COMPLETIONS = 2 * MOST_COMPLETIONS;

  private static final int LEAST_COMPLETIONS = 2 * 1024;

  private final String label;

  Transport(String label) {
    this.label = label;
  }

  /** The name that logs and INFO have for it. */
  String label() {
    return label;
  }

  abstract boolean isAvailable();

  abstract @Nullable Throwable unavailabilityCause();

  /**
   * Returns the handlers that move the bytes of event loops.
   *
   * @param loops how many there are
   */
  abstract IoHandlerFactory ioHandlers(int loops);

  abstract Class<? extends ServerChannel> serverChannel();

  /**
   * Has the system ask an idle client whether it is still there, as Redis does: after {@link
   * #KEEP_ALIVE_SECONDS}, and give it up when a few questions get no answer.
   */
  abstract void keepAlive(ServerBootstrap server);

  private static void setKeepAlive(
      ServerBootstrap server,
      ChannelOption<Integer> idle,
      ChannelOption<Integer> interval,
      ChannelOption<Integer> count) {
    server
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(idle, KEEP_ALIVE_SECONDS)
        .childOption(interval, KEEP_ALIVE_SECONDS / KEEP_ALIVE_PROBES)
        .childOption(count, KEEP_ALIVE_PROBES);
  }

  /** The best that is preferred and available; NIO always is. Says in the log what was not. */
  static Transport choose(TransportPreference preference) {
    List<Transport> candidates =
        switch (preference) {
          case AUTO, IO_URING -> List.of(IO_URING, EPOLL);
          case EPOLL -> List.of(EPOLL);
          case NIO -> List.of();
        };
    for (Transport candidate : candidates) {
      if (candidate.isAvailable()) {
        return candidate;
      }
      LOG.info(
          "transport {} is not available on this machine: {}",
          candidate.label,
          rootMessage(candidate.unavailabilityCause()));
    }
    return NIO;
  }

  /**
   * Returns the number of completions that a loop has room for: a power of 2, the fewer the more
   * loops there are.
   */
  static int completionQueueEntries(int loops) {
    int each = Integer.highestOneBit(ALL_COMPLETIONS / loops);
    return Math.clamp(each, LEAST_COMPLETIONS, MOST_COMPLETIONS);
  }

  private static String rootMessage(@Nullable Throwable cause) {
    Throwable root = cause;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root == null ? "no reason is known" : root.toString();
  }
}
