package io.keyvalueserve.server.config;

import io.keyvalueserve.grid.ClientLimits;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.grid.quorum.QuorumConfig;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.space.FastPath;
import io.keyvalueserve.maps.readable.Extensions;
import io.keyvalueserve.maps.reclaim.ReclaimSetup;
import io.keyvalueserve.resp.script.ScriptLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a server, valid as a whole. Made by {@link ConfigReader}; the fields are
 * explained in {@code docs/kvs.yaml}.
 *
 * @param role what the member does; most other settings have no effect on a witness
 * @param quorum when the member may serve
 * @param data where state survives a restart, or null to keep none
 * @param restart how entries survive it, or null if they do not
 * @param reclaim how memory is made free
 * @param snapshots where snapshots of tenants are kept
 * @param usageInterval how often what was used is told to the ledger
 * @param webhookUrl is told of warnings of spend caps, or null for nobody
 * @param webhookSecretFile holds the secret that signs that; null if and only if nobody is told
 * @param webhookRule which addresses webhooks may have
 * @param clusterSecretFile holds what members know of each other, or null for a secret of its own
 * @param operatorKeyFile holds the operator's key, or null for the default place
 * @param memory what holds the entries, off the Java heap
 * @param extensions the operator's code that tenants may have run
 * @param fastPath which shortcuts requests take
 * @param clientLimits what Hazelcast clients may make the member keep for them
 * @param clientConnections most connections of Hazelcast clients; 0 for what fits the process
 * @param respMaxCollectionBytes the largest collection that a command may build; {@link
 *     Integer#MAX_VALUE} for any
 * @param respReadAheadBytes how much is read of a Redis client that does not read its replies
 * @param respCpus processors of the event loops for Redis clients alone; empty if all threads share
 *     all processors
 * @param scripts the bounds of scripts of Redis clients
 * @param postgres how the door for PostgreSQL clients is set up
 * @param http how the HTTP door is set up
 * @param unauthenticated what connections without a key may have
 */
public record ServerConfig(
    String clusterName,
    String memberName,
    String bind,
    int respPort,
    int httpPort,
    int clientPort,
    int memberPort,
    List<String> join,
    Role role,
    QuorumConfig quorum,
    @Nullable Path data,
    @Nullable RestartConfig restart,
    ReclaimSetup reclaim,
    SnapshotSettings snapshots,
    Duration usageInterval,
    @Nullable String webhookUrl,
    @Nullable Path webhookSecretFile,
    WebhookRule webhookRule,
    boolean dev,
    @Nullable Path clusterSecretFile,
    @Nullable Path operatorKeyFile,
    int backupCount,
    int partitionCount,
    MemoryPlan memory,
    Extensions extensions,
    FastPath fastPath,
    ClientLimits clientLimits,
    int clientConnections,
    int respMaxValueBytes,
    int respMaxCollectionBytes,
    int respMaxClients,
    long respReadAheadBytes,
    List<Integer> respCpus,
    String respTransport,
    ScriptLimits scripts,
    PostgresSettings postgres,
    HttpSettings http,
    UnauthenticatedSettings unauthenticated,
    String logLevel) {
  public ServerConfig {
    join = List.copyOf(join);
    respCpus = List.copyOf(respCpus);
  }

  /** Returns the same with the ports that a server was given where it asked for any. */
  public ServerConfig withPorts(int resp, int httpDoor, int client, int member) {
    return new ServerConfig(
        clusterName,
        memberName,
        bind,
        resp,
        httpDoor,
        client,
        member,
        join,
        role,
        quorum,
        data,
        restart,
        reclaim,
        snapshots,
        usageInterval,
        webhookUrl,
        webhookSecretFile,
        webhookRule,
        dev,
        clusterSecretFile,
        operatorKeyFile,
        backupCount,
        partitionCount,
        memory,
        extensions,
        fastPath,
        clientLimits,
        clientConnections,
        respMaxValueBytes,
        respMaxCollectionBytes,
        respMaxClients,
        respReadAheadBytes,
        respCpus,
        respTransport,
        scripts,
        postgres,
        http,
        unauthenticated,
        logLevel);
  }
}
