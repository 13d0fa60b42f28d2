package io.keyvalueserve.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.EndpointConfig;
import com.hazelcast.instance.ProtocolType;
import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.networking.ChannelOption;
import com.hazelcast.internal.networking.ChannelOptions;
import com.hazelcast.internal.networking.nio.PipelineReading;
import com.hazelcast.internal.networking.nio.PipelineWriting;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.server.tcp.AbstractChannelInitializer;
import com.hazelcast.internal.server.tcp.ChannelInitializerFunction;
import com.hazelcast.internal.server.tcp.SingleProtocolDecoder;
import com.hazelcast.internal.server.tcp.SingleProtocolEncoder;
import java.util.Objects;

/** Sets up connections: those of clients with the door's own steps, others as Hazelcast does. */
public final class DoorChannels extends ChannelInitializerFunction {
  private DoorChannels(ServerContext context, Config config) {
    super(context, config);
  }

  /** Creates the setup that a node extension returns for {@code createChannelInitializerFn}. */
  public static DoorChannels create(ServerContext context, Config config) {
    DoorChannels channels = new DoorChannels(context, config);
    channels.init();
    return channels;
  }

  @Override
  protected ChannelInitializer provideClientChannelInitializer(EndpointConfig endpoint) {
    return new OfClients(serverContext, endpoint);
  }

  private static final class OfClients extends AbstractChannelInitializer {
    OfClients(ServerContext context, EndpointConfig endpoint) {
      super(context, endpoint);
    }

    @Override
    @SuppressWarnings("unchecked") // Hazelcast's attribute map is a raw type
    public void initChannel(Channel channel) {
      ClientDoor door = (ClientDoor) serverContext.getClientEngine();
      Connection connection =
          Objects.requireNonNull(
              (Connection) channel.attributeMap().get(ServerConnection.class), "connection");
      ChannelOptions options = channel.options();
      ReplyBacklog backlog = new ReplyBacklog(() -> channel.inboundPipeline().wakeup());
      UnansweredMessages unanswered = new UnansweredMessages(new MessageTimes(System::nanoTime));
      connection.attributeMap().put(UnansweredMessages.class, unanswered);
      UnreadAnswers.OfConnection unread = door.unreadOf(connection);
      AnswerQueue.install(channel, unread);
      SingleProtocolEncoder encoder =
          new SingleProtocolEncoder(
              new ReplyEncoder(
                  connection,
                  backlog,
                  unanswered,
                  unread,
                  options.getOption(ChannelOption.SO_SNDBUF)));
      ClientPeer peer = door.admit(connection);
      WholeMessages messages = door.messagesOf(connection, unanswered, peer);
      DirectDecoder decoder =
          new DirectDecoder(
              connection,
              PipelineReading.of(channel),
              door.desks(),
              door.direct(),
              backlog,
              unanswered,
              messages,
              PipelineWriting.of(channel)::goOn,
              options.getOption(ChannelOption.SO_RCVBUF));
      channel.addCloseListener(
          any -> {
            boolean _ = unread.end();
            peer.closed();
            decoder.closed();
          });
      channel.outboundPipeline().addLast(encoder);
      channel
          .inboundPipeline()
          .addLast(new SingleProtocolDecoder(ProtocolType.CLIENT, decoder, encoder));
    }
  }
}
