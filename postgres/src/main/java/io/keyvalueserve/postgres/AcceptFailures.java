package io.keyvalueserve.postgres;

import io.keyvalueserve.tenancy.log.LogLimit;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs connections that could not be accepted, as when the process has no file descriptors left:
 * one line a minute without a stack trace. Stands behind Netty's own acceptor, which pauses for a
 * second after each failure and then goes on.
 */
final class AcceptFailures extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptFailures.class);

  private final LogLimit lines = LogLimit.aMinute(1);

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    long leftOut = lines.take();
    if (leftOut >= 0) {
      LOG.warn(
          "connections to the port for PostgreSQL clients are not accepted: {} ({} more failures since"
              + " the last line like this); it is tried again each second; close connections, raise"
              + " the limit of open files (ulimit -n), or lower postgres.max-clients",
          cause.toString(),
          leftOut);
    }
  }
}
