package io.keyvalueserve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.networking.nio.NioOutboundPipeline;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every seam of Hazelcast's inside that the grid holds on to: what it overrides or calls though it
 * is not Hazelcast's public interface. After a change of Hazelcast's version this says what has
 * moved.
 *
 * <p>A line is {@code class#member(parameters)}: simple type names; {@code <init>} is a
 * constructor.
 */
class SeamsTest {
  static Stream<String> seams() {
    return Stream.of(
        // The way in.
        "com.hazelcast.instance.impl.HazelcastInstanceFactory#newHazelcastInstance(Config,String,NodeContext)",
        "com.hazelcast.instance.impl.DefaultNodeContext#createNodeExtension(Node)",
        "com.hazelcast.instance.impl.DefaultNodeContext#createServer(Node,ServerSocketRegistry,LocalAddressRegistry)",
        "com.hazelcast.internal.server.tcp.ServerSocketRegistry#<init>(Map,boolean)",
        "com.hazelcast.internal.server.tcp.ServerSocketRegistry#destroy()",
        "com.hazelcast.internal.server.tcp.TcpServer#getConnectionManager(EndpointQualifier)",
        "com.hazelcast.internal.server.tcp.TcpServerConnectionManager#newChannel(SocketChannel,boolean)",
        "com.hazelcast.internal.server.tcp.TcpServerConnectionManager#newConnection(Channel,Address,boolean)",
        "com.hazelcast.internal.server.tcp.TcpServerConnectionManager#removeAcceptedChannel(Channel)",
        "com.hazelcast.internal.server.ServerContext#interceptSocket(EndpointQualifier,Socket,boolean)",
        "com.hazelcast.instance.impl.DefaultNodeExtension#<init>(Node)",
        "com.hazelcast.instance.impl.DefaultNodeExtension#createClientEngine()",
        "com.hazelcast.instance.impl.DefaultNodeExtension#createService(Class,Object[])",
        "com.hazelcast.instance.impl.DefaultNodeExtension#getSocketInterceptor(EndpointQualifier)",
        "com.hazelcast.instance.impl.DefaultNodeExtension#onMemberListChange()",
        "com.hazelcast.instance.impl.DefaultNodeExtension#getInternalHotRestartService()",
        "com.hazelcast.internal.hotrestart.NoopInternalHotRestartService#resetService(boolean)",
        "com.hazelcast.spi.impl.operationservice.Operation#executedLocally()",
        "com.hazelcast.instance.impl.HazelcastInstanceProxy#getOriginal()",
        // The door for clients.
        "com.hazelcast.client.impl.ClientEngineImpl#<init>(Node)",
        "com.hazelcast.client.impl.ClientEngineImpl#accept(ClientMessage)",
        "com.hazelcast.client.impl.ClientEngineImpl#bind(ClientEndpoint)",
        "com.hazelcast.client.impl.ClientEngineImpl#getSecurityContext()",
        "com.hazelcast.client.impl.ClientEngineImpl#getExceptionFactory()",
        "com.hazelcast.client.impl.ClientEngineImpl#init(NodeEngine,Properties)",
        "com.hazelcast.client.impl.protocol.ClientExceptionFactory#<init>(boolean,ClassLoader,LoggingService)",
        "com.hazelcast.client.impl.protocol.ClientExceptionFactory#createExceptionMessage(Throwable)",
        "com.hazelcast.client.impl.protocol.ClientMessage#getStartFrame()",
        "com.hazelcast.client.impl.protocol.ClientMessage$Frame#<init>(byte[],int)",
        "com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec#encode(List)",
        "com.hazelcast.client.impl.protocol.task.AuthenticationMessageTask#<init>(ClientMessage,Node,Connection)",
        "com.hazelcast.client.impl.protocol.task.AuthenticationCustomCredentialsMessageTask#<init>(ClientMessage,Node,Connection)",
        "com.hazelcast.client.impl.protocol.task.AuthenticationMessageTask#setTpcTokenToEndpoint()",
        "com.hazelcast.client.impl.protocol.task.AuthenticationCustomCredentialsMessageTask#setTpcTokenToEndpoint()",
        "com.hazelcast.client.impl.protocol.task.GetDistributedObjectsMessageTask#call()",
        "com.hazelcast.client.impl.protocol.task.AddDistributedObjectListenerMessageTask#distributedObjectCreated(DistributedObjectEvent)",
        "com.hazelcast.client.impl.protocol.task.AddDistributedObjectListenerMessageTask#distributedObjectDestroyed(DistributedObjectEvent)",
        "com.hazelcast.client.impl.protocol.task.map.MapAddNearCacheInvalidationListenerMessageTask#newMapListener()",
        "com.hazelcast.client.impl.protocol.task.map.MapFetchNearCacheInvalidationMetadataTask#encodeResponse(Object)",
        "com.hazelcast.security.SecurityContext#createClientLoginContext(String,Credentials,Connection)",
        "com.hazelcast.internal.nio.ConnectionListener#connectionRemoved(Connection)",
        "com.hazelcast.internal.nio.Connection#attributeMap()",
        "com.hazelcast.internal.networking.nio.NioThread#addTask(Runnable)",
        "com.hazelcast.internal.networking.nio.NioThread#addTaskAndWakeup(Runnable)",
        "com.hazelcast.internal.networking.nio.NioThread#getSelector()",
        "com.hazelcast.internal.networking.nio.NioPipeline#owner()",
        "com.hazelcast.internal.networking.nio.NioPipeline#process()",
        "com.hazelcast.internal.networking.nio.NioPipeline#onError(Throwable)",
        "com.hazelcast.internal.networking.nio.NioPipeline#registerOp(int)",
        "com.hazelcast.internal.networking.nio.NioPipeline#unregisterOp(int)",
        "com.hazelcast.internal.networking.nio.NioInboundPipeline#wakeup()",
        "com.hazelcast.internal.partition.IPartition#getOwnerOrNull()",
        // Results that are counted.
        "com.hazelcast.map.impl.MapServiceContextImpl#createOperationProviders()",
        "com.hazelcast.map.impl.MapServiceContextImpl#createMapQueryRunner(NodeEngine,QueryOptimizer,ResultProcessorRegistry,PartitionScanRunner)",
        "com.hazelcast.map.impl.operation.MapOperationProviders#getOperationProvider(String)",
        "com.hazelcast.map.impl.operation.DefaultMapOperationProvider#createQueryOperation(Query)",
        "com.hazelcast.map.impl.operation.DefaultMapOperationProvider#createQueryPartitionOperation(Query)",
        "com.hazelcast.map.impl.query.Query#createResult(SerializationService,QueryResultSizeLimiter,int)",
        "com.hazelcast.map.impl.query.QueryResult#<init>(IterationType,Projection,SerializationService,long,boolean,LocalMapStatsImpl)",
        "com.hazelcast.map.impl.query.QueryResult#add(QueryableEntry)",
        "com.hazelcast.map.impl.query.QueryResult#orderAndLimit(PagingPredicate,Entry)",
        "com.hazelcast.map.impl.query.AggregationResult#<init>(Aggregator,SerializationService)",
        "com.hazelcast.map.impl.query.AggregationResult#add(QueryableEntry)",
        "com.hazelcast.map.impl.query.QueryRunner#runIndexOrPartitionScanQueryOnOwnedPartitions(Query,boolean)",
        "com.hazelcast.map.impl.query.QueryRunner#runPartitionIndexOrPartitionScanQueryOnGivenOwnedPartition(Query,int)",
        "com.hazelcast.map.impl.query.QueryRunner#populateEmptyResult(Query,Collection)",
        "com.hazelcast.map.impl.query.QueryRunner#beforeOperation(int,String)",
        "com.hazelcast.map.impl.query.QueryRunner#afterOperation(int,String,int)",
        "com.hazelcast.map.impl.recordstore.DefaultRecordStore#getInMemoryEntries(Set,long)",
        // The short way through it.
        "com.hazelcast.instance.impl.DefaultNodeExtension#createChannelInitializerFn(ServerContext)",
        "com.hazelcast.internal.server.tcp.ChannelInitializerFunction#<init>(ServerContext,Config)",
        "com.hazelcast.internal.server.tcp.ChannelInitializerFunction#init()",
        "com.hazelcast.internal.server.tcp.ChannelInitializerFunction#provideClientChannelInitializer(EndpointConfig)",
        "com.hazelcast.internal.server.tcp.AbstractChannelInitializer#<init>(ServerContext,EndpointConfig)",
        "com.hazelcast.internal.server.tcp.SingleProtocolDecoder#<init>(ProtocolType,InboundHandler,SingleProtocolEncoder)",
        "com.hazelcast.internal.server.tcp.SingleProtocolEncoder#<init>(OutboundHandler)",
        "com.hazelcast.internal.networking.InboundHandler#onRead()",
        "com.hazelcast.internal.networking.InboundPipeline#replace(InboundHandler,InboundHandler[])",
        "com.hazelcast.internal.networking.InboundPipeline#wakeup()",
        "com.hazelcast.internal.networking.OutboundHandler#onWrite()",
        "com.hazelcast.internal.networking.OutboundPipeline#replace(OutboundHandler,OutboundHandler[])",
        "com.hazelcast.internal.networking.OutboundFrame#getFrameLength()",
        "com.hazelcast.internal.networking.nio.InboundHandlerWithCounters#setNormalPacketsRead(Counter)",
        "com.hazelcast.client.impl.ClientEndpointManager#getEndpoint(Connection)",
        "com.hazelcast.client.impl.ClientEndpoint#isAuthenticated()",
        "com.hazelcast.client.impl.ClientEndpoint#getTransactionContext(UUID)",
        "com.hazelcast.client.impl.ClientEndpoint#removeTransactionContext(UUID)",
        "com.hazelcast.client.impl.protocol.ClientMessageReader#<init>(int)",
        "com.hazelcast.client.impl.protocol.ClientMessageReader#readFrom(ByteBuffer,boolean)",
        "com.hazelcast.client.impl.protocol.ClientMessageWriter#writeTo(ByteBuffer,ClientMessage)",
        "com.hazelcast.client.impl.protocol.ClientMessage#dropFragmentationFrame()",
        "com.hazelcast.client.impl.protocol.ClientMessage#merge(ClientMessage)",
        // Names.
        "com.hazelcast.partition.strategy.StringPartitioningStrategy#getPartitionKey(String)",
        // The map service, its maps and their record stores.
        "com.hazelcast.map.impl.MapServiceContextImpl#<init>(NodeEngine)",
        "com.hazelcast.map.impl.MapServiceContextImpl#createMapContainer(String)",
        "com.hazelcast.map.impl.MapServiceContextImpl#createRecordStore(MapContainer,int,MapKeyLoader)",
        "com.hazelcast.map.impl.MapServiceContextImpl#getValueComparatorOf(InMemoryFormat)",
        "com.hazelcast.map.impl.DefaultMapServiceFactory#<init>(NodeEngine,MapServiceContext)",
        "com.hazelcast.map.impl.DefaultMapServiceFactory#createRemoteService()",
        "com.hazelcast.map.impl.MapMigrationAwareService#newChunkSupplier(PartitionReplicationEvent,Collection)",
        "com.hazelcast.internal.partition.ChunkSuppliers#newChainedChunkSupplier(List)",
        "com.hazelcast.map.impl.MapRemoteService#<init>(MapServiceContext)",
        "com.hazelcast.map.impl.MapRemoteService#createDistributedObject(String,UUID,boolean)",
        "com.hazelcast.config.Config#findMapConfig(String)",
        "com.hazelcast.map.impl.MapContainerImpl#<init>(String,Config,MapServiceContext)",
        "com.hazelcast.map.impl.MapContainerImpl#newEvictor(EvictionPolicyComparator,int,IPartitionService)",
        "com.hazelcast.map.impl.MapContainerImpl#newQueryEntry(Data,Object)",
        "com.hazelcast.map.impl.MapContainerImpl#getMemoryInfoAccessor()",
        "com.hazelcast.map.impl.recordstore.DefaultRecordStore#<init>(MapContainer,int,MapKeyLoader,ILogger)",
        "com.hazelcast.map.impl.recordstore.DefaultRecordStore#init()",
        "com.hazelcast.map.impl.recordstore.DefaultRecordStore#addMutationObservers()",
        "com.hazelcast.map.impl.recordstore.DefaultRecordStore#putMemory(Record,Data,Object,long,long,long,long,EntryEventType,boolean)",
        "com.hazelcast.map.impl.recordstore.DefaultRecordStore#updateMemory(Record,Data,Object,Object,boolean,long,long,long,long,boolean)",
        "com.hazelcast.map.impl.recordstore.DefaultRecordStore#putOrUpdateReplicatedRecord(Data,Record,ExpiryMetadata,boolean,long)",
        "com.hazelcast.map.impl.recordstore.DefaultRecordStore#removeKeyFromExpirySystem(Data)",
        "com.hazelcast.map.impl.recordstore.DefaultRecordStore#clearPartition(boolean,boolean,Queue)",
        "com.hazelcast.map.impl.recordstore.DefaultRecordStore#destroyStorageImmediate(boolean,boolean,Queue)",
        "com.hazelcast.map.impl.recordstore.RecordStore#afterOperation()",
        "com.hazelcast.map.impl.recordstore.RecordStore#afterOperation(int)",
        "com.hazelcast.map.impl.recordstore.MutationObserver#onUpdateRecord(Data,Record,Object,Object,boolean)",
        "com.hazelcast.map.impl.recordstore.Storage#put(Object,Object)",
        "com.hazelcast.map.impl.recordstore.Storage#updateRecordValue(Object,Object,Object)",
        "com.hazelcast.map.impl.recordstore.Storage#removeRecord(Data,Object)",
        "com.hazelcast.map.impl.recordstore.Storage#mutationTolerantIterator()",
        "com.hazelcast.map.impl.recordstore.Storage#fetchKeys(IterationPointer[],int)",
        "com.hazelcast.map.impl.recordstore.Storage#fetchEntries(IterationPointer[],int)",
        "com.hazelcast.map.impl.recordstore.Storage#getRandomSamples(int)",
        "com.hazelcast.map.impl.recordstore.LazyEvictableEntryView#<init>(Data,Record,ExpiryMetadata,SerializationService)",
        "com.hazelcast.internal.iteration.IterationPointer#<init>(int,int)",
        "com.hazelcast.map.impl.record.Record#getMatchingRecordReaderWriter()",
        "com.hazelcast.map.impl.record.Record#onAccess(long)",
        "com.hazelcast.map.impl.record.RecordFactory#newRecord(Data,Object)",
        "com.hazelcast.map.impl.record.Records#writeExpiry(ObjectDataOutput,ExpiryMetadata)",
        "com.hazelcast.map.impl.record.Records#readExpiry(ObjectDataInput)",
        "com.hazelcast.map.impl.recordstore.AbstractEvictableRecordStore#createExpirySystem(MapContainer)",
        "com.hazelcast.map.impl.recordstore.AbstractEvictableRecordStore#evictExpiredEntryAndPublishExpiryEvent(Data,ExpiryReason,boolean)",
        "com.hazelcast.map.impl.recordstore.expiry.ExpirySystem#add(Data,long,long,long,long,long)",
        "com.hazelcast.map.impl.recordstore.expiry.ExpirySystem#evictExpiredEntries(int,long,boolean)",
        "com.hazelcast.map.impl.recordstore.expiry.ExpirySystem#hasExpired(Data,long,boolean)",
        "com.hazelcast.map.impl.ExpirationTimeSetter#nextExpirationTime(long,long,long,long)",
        "com.hazelcast.map.impl.ExpirationTimeSetter#pickTTLMillis(MapConfig,long)",
        "com.hazelcast.internal.eviction.ClearExpiredRecordsTask#tryToSendBackupExpiryOp(Object,boolean)",
        "com.hazelcast.internal.util.TimeStripUtil#stripBaseTime(long)",
        "com.hazelcast.map.impl.eviction.EvictorImpl#<init>(EvictionPolicyComparator,EvictionChecker,int,IPartitionService)",
        "com.hazelcast.map.impl.eviction.EvictorImpl#evict(RecordStore,Data)",
        "com.hazelcast.map.impl.eviction.EvictorImpl#getRandomSamples(RecordStore)",
        "com.hazelcast.map.impl.eviction.EvictionChecker#<init>(MemoryInfoAccessor,MapServiceContext)",
        "com.hazelcast.map.impl.eviction.EvictionChecker#checkEvictable(RecordStore)",
        "com.hazelcast.query.impl.CachedQueryEntry#<init>(SerializationService,Extractors)",
        "com.hazelcast.query.impl.CachedQueryEntry#init(Object,Object)",
        "com.hazelcast.query.impl.CachedQueryEntry#initWithObjectKeyValue(Object,Object)",
        "com.hazelcast.query.impl.CachedQueryEntry#getValueData()",
        "com.hazelcast.query.impl.CachedQueryEntry#getTargetObject(boolean)",
        "com.hazelcast.query.impl.QueryableEntry#setRecord(Record)",
        // Partitions, their threads and their replicas.
        "com.hazelcast.spi.impl.operationexecutor.impl.OperationThread#getThreadId()",
        "com.hazelcast.spi.impl.operationexecutor.impl.OperationExecutorImpl#getPartitionThreads()",
        "com.hazelcast.spi.impl.operationexecutor.impl.PartitionOperationThread#<init>(String,int,OperationQueue,ILogger,NodeExtension,OperationRunner[],ClassLoader)",
        "com.hazelcast.spi.impl.operationexecutor.impl.OperationQueue#add(Object,boolean)",
        "com.hazelcast.spi.impl.operationexecutor.impl.OperationQueue#take(boolean)",
        "com.hazelcast.spi.impl.operationexecutor.OperationRunner#setCurrentThread(Thread)",
        "com.hazelcast.spi.impl.operationservice.NamedOperation#getName()",
        "com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl#getPartitionThreadCount()",
        "com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl#execute(PartitionSpecificRunnable)",
        "com.hazelcast.internal.partition.PartitionReplicaVersionManager#markPartitionReplicaAsSyncRequired(int,ServiceNamespace,int)",
        // Operations.
        "com.hazelcast.map.impl.operation.MapOperation#runInternal()",
        "com.hazelcast.map.impl.operation.MapOperation#afterRunInternal()",
        "com.hazelcast.map.impl.operation.MapOperation#invalidateNearCache(Data)",
        "com.hazelcast.map.impl.operation.MapOperation#evict(Data)",
        "com.hazelcast.spi.impl.operationservice.Operation#onInvocationException(Throwable)",
        "com.hazelcast.spi.impl.operationservice.BackupAwareOperation#getBackupOperation()",
        "com.hazelcast.spi.impl.proxyservice.InternalProxyService#getAllDistributedObjects()",
        "com.hazelcast.spi.impl.proxyservice.InternalProxyService#destroyDistributedObject(String,String,UUID)",
        "com.hazelcast.internal.serialization.impl.HeapData#<init>(byte[])",
        // Members.
        "com.hazelcast.nio.MemberSocketInterceptor#onAccept(Socket)",
        "com.hazelcast.nio.SocketInterceptor#onConnect(Socket)");
  }

  @ParameterizedTest
  @MethodSource("seams")
  void isWhereItWas(String seam) throws ClassNotFoundException {
    int hash = seam.indexOf('#');
    int open = seam.indexOf('(');
    Class<?> type = Class.forName(seam.substring(0, hash));
    String member = seam.substring(hash + 1, open);
    String parameters = seam.substring(open + 1, seam.length() - 1);
    List<Executable> found =
        executables(type, member).stream()
            .filter(each -> parameters(each).equals(parameters))
            .filter(each -> !Modifier.isPrivate(each.getModifiers()))
            .filter(each -> !Modifier.isFinal(each.getModifiers()) || isOnlyCalled(member))
            .toList();
    assertThat(found).as("members that are there: %s", executables(type, member)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"writeQueue", "priorityWriteQueue"})
  void queuesOfPipelinesAreFieldsThatAreRead(String name) throws NoSuchFieldException {
    Field queue = NioOutboundPipeline.class.getDeclaredField(name);
    assertThat(queue.getType()).isEqualTo(Queue.class);
    assertThat(Modifier.isStatic(queue.getModifiers())).isFalse();
  }

  /** Overridden seams must not be final; these are called. */
  private static boolean isOnlyCalled(String member) {
    return List.of(
            "add",
            "invalidateNearCache",
            "evict",
            "getStartFrame",
            "getMemoryInfoAccessor",
            "execute",
            "setCurrentThread",
            "registerOp",
            "unregisterOp")
        .contains(member);
  }

  private static List<Executable> executables(Class<?> type, String member) {
    List<Executable> all = new ArrayList<>();
    if (member.equals("<init>")) {
      for (Constructor<?> constructor : type.getDeclaredConstructors()) {
        all.add(constructor);
      }
      return all;
    }
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        if (method.getName().equals(member)) {
          all.add(method);
        }
      }
    }
    for (Method method : type.getMethods()) {
      if (method.getName().equals(member)) {
        all.add(method);
      }
    }
    return all;
  }

  private static String parameters(Executable executable) {
    return Arrays.stream(executable.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(","));
  }
}
