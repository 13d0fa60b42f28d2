package io.keyvalueserve.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.gateway.command.ServerFacts;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.TenantMeters;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;

/** A whole session of the tenant {@code dev} without a network: bytes in, bytes out. */
final class EmbeddedSession implements AutoCloseable {
  private static final Authenticator ANYBODY =
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
          return new Authentication.Accepted(TestMember.identity("dev"));
        }
      };

  private final EmbeddedChannel channel;

  EmbeddedSession() {
    InstantSource clock = InstantSource.fixed(Instant.ofEpochSecond(1_800_000_000));
    SessionHost host =
        new SessionHost(
            RespServerConfig.at(new InetSocketAddress(0)).withMostValueBytes(1 << 20),
            new RespServices(
                new MapEngine(clock),
                ANYBODY,
                new SessionRegistry(identity -> true),
                new TenantMeters(),
                () -> new ServerFacts("0.1.0", "member-1", "uuid", Instant.EPOCH, 1),
                clock),
            Transport.NIO);
    channel = new EmbeddedChannel(new RespSession(host, 1));
  }

  /** Sends bytes; answers with those that come back. */
  String send(byte[] bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes));
    StringBuilder replies = new StringBuilder();
    while (channel.readOutbound() instanceof ByteBuf buffer) {
      replies.append(buffer.toString(ISO_8859_1));
      buffer.release();
    }
    return replies.toString();
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() {
    channel.finishAndReleaseAll();
  }
}
