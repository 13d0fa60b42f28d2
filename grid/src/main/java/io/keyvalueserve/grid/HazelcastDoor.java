package io.keyvalueserve.grid;

import com.hazelcast.client.impl.ClientEngine;
import com.hazelcast.config.Config;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.server.ServerContext;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.grid.turn.PartitionTurns;
import io.keyvalueserve.maps.LocalMap;
import io.keyvalueserve.maps.gather.TemporaryHeap;
import io.keyvalueserve.maps.readable.Extensions;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The door for Hazelcast clients as the member sees it: what the door holds for a tenant at this
 * member. Thread-safe.
 */
public interface HazelcastDoor {
  /** Returns how many requests of a tenant's clients wait for their answers. */
  int waitingRequests(int tenant);

  /** Returns how many bytes these requests have. */
  long waitingBytes(int tenant);

  /** Returns how many listeners a tenant's clients have. */
  int listeners(int tenant);

  /** Returns how many transactions a tenant's clients have open. */
  int openTransactions(int tenant);

  /** Returns about how many bytes of answers and events a tenant's clients have not read. */
  long unreadBytes(int tenant);

  /** Returns how many clients were cut off since the start because they did not read. */
  long cutOff();

  /** Returns how many bytes of heap a tenant's requests and their results take for a while. */
  long temporaryBytes(int tenant);

  /** Returns how many requests were answered on the thread that read them, since the start. */
  long answeredDirectly();

  /** Returns how many reads of other members' entries were answered together, since the start. */
  long answeredTogether();

  /** Opens the door of a member. Thread-safe. */
  interface Factory {
    /** Registers what the door's messages between members need, before the member starts. */
    void register(Config config);

    /**
     * Opens the door. Called once, when partition threads are there and nobody knows them.
     *
     * @return an engine that is a {@link HazelcastDoor}
     */
    ClientEngine open(Seams seams);

    /** Returns how connections of clients and members are set up. */
    Function<EndpointQualifier, ChannelInitializer> channels(ServerContext context, Config config);

    /** Returns the number of the tenant that a connection is authenticated for; -1 for none. */
    int tenantOf(Connection connection);
  }

  /**
   * The parts of the member that a door is opened with.
   *
   * @param extensions the operator's code that tenants may have run
   * @param localMaps the member's maps by the grid's names and the number of the tenant that uses
   *     them, for answers on the thread that read the request; null if all requests go Hazelcast's
   *     way
   * @param keptIndexes told of each index before it is made, by the map's name in the grid; may
   *     block
   * @param chargesWriters whether a map's entries count for who writes them, by the grid's name
   * @param clientLimits what clients may make the member keep for them
   * @param temporary the heap that waiting requests and results may take
   * @param turns of the threads that read, and of pools
   */
  record Seams(
      Node node,
      TenantPolicy policy,
      Extensions extensions,
      @Nullable BiFunction<String, Integer, LocalMap> localMaps,
      BiConsumer<String, IndexConfig> keptIndexes,
      Predicate<String> chargesWriters,
      ClientLimits clientLimits,
      TemporaryHeap temporary,
      PartitionTurns turns) {}
}
