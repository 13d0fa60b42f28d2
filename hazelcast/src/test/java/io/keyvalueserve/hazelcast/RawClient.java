package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessageReader;
import com.hazelcast.client.impl.protocol.codec.ClientAuthenticationCodec;
import com.hazelcast.internal.nio.ConnectionType;
import com.hazelcast.internal.serialization.InternalSerializationService;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A client that says what it likes. */
final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;
  private final ByteBuffer in = ByteBuffer.allocate(1 << 16).flip();

  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    send("CP2".getBytes(StandardCharsets.US_ASCII));
  }

  /** Says who it is, and hears that it is believed. */
  RawClient authenticate(String tenant) throws IOException {
    return authenticate(tenant, UUID.randomUUID());
  }

  /** Says who it is and by which id, and hears that it is believed. */
  RawClient authenticate(String tenant, UUID id) throws IOException {
    send(authentication(tenant, id));
    ClientMessage answer = receive();
    if (ClientAuthenticationCodec.decodeResponse(answer).status != 0) {
      throw new IOException("not authenticated");
    }
    return this;
  }

  /** Says who it is with a key; returns whether it is believed. */
  boolean login(String tenant, String key) throws IOException {
    send(authentication(tenant, key, UUID.randomUUID()));
    return ClientAuthenticationCodec.decodeResponse(receive()).status == 0;
  }

  static byte[] authentication(String tenant) {
    return authentication(tenant, UUID.randomUUID());
  }

  static byte[] authentication(String tenant, @Nullable UUID id) {
    return authentication(tenant, tenant, id);
  }

  private static byte[] authentication(String tenant, String key, @Nullable UUID id) {
    return Messages.bytes(
        ClientAuthenticationCodec.encodeRequest(
            DoorMember.CLUSTER,
            tenant,
            key,
            id,
            ConnectionType.JAVA_CLIENT,
            InternalSerializationService.VERSION_1,
            "5.7.0",
            "raw",
            List.of(),
            (byte) 0,
            false));
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** The next message that came. */
  ClientMessage receive() throws IOException {
    ClientMessageReader reader = new ClientMessageReader(Integer.MAX_VALUE);
    while (!reader.readFrom(in, true)) {
      byte[] more = new byte[1 << 14];
      int count = socket.getInputStream().read(more);
      if (count < 0) {
        throw new EOFException("the member closed the connection");
      }
      in.compact().put(more, 0, count).flip();
    }
    return reader.getClientMessage();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
