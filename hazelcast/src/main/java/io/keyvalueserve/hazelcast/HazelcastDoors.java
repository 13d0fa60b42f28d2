package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.ClientEngine;
import com.hazelcast.config.Config;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.server.ServerContext;
import io.keyvalueserve.grid.HazelcastDoor;
import io.keyvalueserve.maps.readable.ReadableTypes;
import io.keyvalueserve.sql.SqlService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens the doors for Hazelcast clients of this process's members. */
public final class HazelcastDoors implements HazelcastDoor.Factory {
  private volatile @Nullable SqlService sql;

  /** Opens SQL to clients, with the service of the member. Until then they are told to wait. */
  public void serve(SqlService service) {
    sql = service;
  }

  @Override
  public void register(Config config) {
    ReadMessage.register(config);
  }

  @Override
  public ClientEngine open(HazelcastDoor.Seams seams) {
    return new ClientDoor(
        seams.node(),
        seams.policy(),
        new ProcessorGate(seams.extensions()::names, seams.extensions().factories().keySet()),
        new ReadableTypes(seams.extensions()),
        seams.localMaps(),
        seams.keptIndexes(),
        seams.chargesWriters(),
        seams.clientLimits(),
        seams.temporary(),
        seams.turns(),
        () -> sql);
  }

  @Override
  public Function<EndpointQualifier, ChannelInitializer> channels(
      ServerContext context, Config config) {
    return DoorChannels.create(context, config);
  }

  @Override
  public int tenantOf(Connection connection) {
    return ClientDoor.tenantOf(connection);
  }
}
