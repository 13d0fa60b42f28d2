package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.ClientEndpoint;
import com.hazelcast.client.impl.ClientEngineImpl;
import com.hazelcast.client.impl.protocol.ClientExceptionFactory;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ClientAuthenticationCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendAllSchemasCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddIndexCodec;
import com.hazelcast.client.impl.protocol.codec.MapForceUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveEntryListenerCodec;
import com.hazelcast.client.impl.protocol.task.MessageTask;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeState;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.security.SecurityContext;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.transaction.TransactionContext;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.grid.ClientLimits;
import io.keyvalueserve.grid.HazelcastDoor;
import io.keyvalueserve.grid.space.FastPath;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.grid.turn.PartitionTurns;
import io.keyvalueserve.hazelcast.Structure.Placement;
import io.keyvalueserve.maps.ClientIds;
import io.keyvalueserve.maps.LocalMap;
import io.keyvalueserve.maps.gather.TemporaryHeap;
import io.keyvalueserve.maps.readable.ReadableTypes;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.tenancy.InvalidNameException;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.security.AccessControlException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hazelcast's client engine with a door before it: every message of every client is authenticated,
 * permitted, scoped to its tenant and metered on the IO thread that read it, before Hazelcast makes
 * a task of it. Refuses by default.
 *
 * <p>{@link #accept} runs on IO threads and never blocks. Authentication runs on Hazelcast's pool
 * for blocking client tasks, off the thread for urgent operations where Hazelcast would put it.
 * Which pool the others go to, and when it is whose turn there, {@link ClientPools} knows.
 */
final class ClientDoor extends ClientEngineImpl implements HazelcastDoor {
  private static final Logger LOG = LoggerFactory.getLogger(ClientDoor.class);

  private final SecurityContext security;
  private final int partitions;
  private final QuietErrors errors;
  private final ForeignTypes foreignTypes;
  private final RequestObjects objects;
  private final ProcessorGate processors;
  private final DirectDoor direct;
  private final @Nullable RemoteReads remoteReads;
  private final BiConsumer<String, IndexConfig> keptIndexes;
  private final LogLimit unkeptIndexes = LogLimit.aMinute(1);
  private final QuotaLimits limits;
  private final HeapGate heap;
  private final UnfinishedMessages unfinished;
  private final UnreadAnswers unread;
  private final TenantsHold hold;
  private final PeerBudget peers;
  private final TenantSchemas schemas;
  private final ThreadLocal<ReadingDesk> desks;
  private final ClientPools pools;
  private final SqlStatements sql;

  /**
   * @param processors knows which entry processors tenants may have run
   * @param readable what a member makes objects of
   * @param localMaps the member's maps by the grid's names and the number of the tenant that uses
   *     them, which requests are answered from on the thread that read them; null if all are to go
   *     Hazelcast's way
   * @param keptIndexes told of each index before it is made, by the map's name in the grid; may
   *     block
   * @param chargesWriters whether a map's entries count for who writes them, by the grid's name
   * @param clientLimits what clients may make the member keep for them
   * @param temporary the heap that requests that wait and results may take
   * @param turns of the threads that read, and of pools
   * @param sql null while the member starts
   */
  ClientDoor(
      Node node,
      TenantPolicy policy,
      ProcessorGate processors,
      ReadableTypes readable,
      @Nullable BiFunction<String, Integer, LocalMap> localMaps,
      BiConsumer<String, IndexConfig> keptIndexes,
      Predicate<String> chargesWriters,
      ClientLimits clientLimits,
      TemporaryHeap temporary,
      PartitionTurns turns,
      Supplier<@Nullable SqlService> sql) {
    super(node);
    this.sql =
        new SqlStatements(
            policy,
            (InternalSerializationService) nodeEngine.getSerializationService(),
            node.getThisUuid(),
            sql);
    this.pools = new ClientPools(nodeEngine, turns);
    this.desks =
        ThreadLocal.withInitial(() -> new ReadingDesk(turns.reading().begin(DirectDecoder.SORTS)));
    MemberHeap whole = policy.admissions().memberHeap();
    this.unfinished = UnfinishedMessages.forHeap(clientLimits.waiting().bytes(), whole);
    this.unread = new UnreadAnswers(clientLimits.unread(), whole);
    this.hold =
        new TenantsHold(
            new TenantsWaiting(clientLimits.waiting(), temporary),
            new TenantsListeners(),
            new TenantsTransactions(clientLimits.transactions()));
    this.schemas = new TenantSchemas(() -> nodeEngine.getService(SchemaService.SERVICE_NAME));
    this.keptIndexes = keptIndexes;
    this.processors = processors;
    this.objects = new RequestObjects(readable);
    this.peers = policy.peers();
    this.limits = new QuotaLimits(policy.admissions(), chargesWriters);
    this.partitions = node.getProperties().getInteger(ClusterProperty.PARTITION_COUNT);
    this.heap = new HeapGate(nodeEngine.getProxyService(), partitions);
    this.security = new DoorSecurity(policy, hold);
    ClassLoader classLoader = node.getConfigClassLoader();
    this.errors = new QuietErrors(classLoader, node.getLoggingService());
    try {
      this.foreignTypes =
          new ForeignTypes(
              classLoader,
              node.getConfig()
                  .getSerializationConfig()
                  .getDataSerializableFactories() // what users bring is there by its class
                  .keySet());
    } catch (Exception e) {
      throw new IllegalStateException("cannot list Hazelcast's serialization factories", e);
    }
    this.direct =
        localMaps == null
            ? DirectDoor.closed(foreignTypes)
            : new DirectDoor(
                (name, tenant) -> AnsweringMap.of(localMaps.apply(name, tenant)),
                partitions,
                foreignTypes,
                this::isServing);
    FastPath fastPath = FastPath.of(node.hazelcastInstance);
    this.remoteReads =
        fastPath.direct() && fastPath.coalescing()
            ? new RemoteReads(nodeEngine, partitions, fastPath.channels(), pools::accept)
            : null;
  }

  /**
   * Returns the objects that a thread needs while it decodes what was read of a connection, of the
   * calling thread.
   */
  Supplier<ReadingDesk> desks() {
    return desks::get;
  }

  /** The short way for requests. */
  DirectDoor direct() {
    return direct;
  }

  /**
   * Returns the number of requests that were answered on the thread that read them, since the
   * member started.
   */
  @Override
  public long answeredDirectly() {
    return direct.answered();
  }

  /**
   * Returns the number of reads that were answered as {@link RemoteReads}, since the member
   * started.
   */
  @Override
  public long answeredTogether() {
    return remoteReads == null ? 0 : remoteReads.answered();
  }

  /** Admits a connection that was accepted to the budget of peers without a key. */
  ClientPeer admit(Connection connection) {
    return ClientPeer.admit(connection, peers);
  }

  /** Counts what waits for a connection's client to read it. */
  UnreadAnswers.OfConnection unreadOf(Connection connection) {
    return unread.enter(() -> tenantOf(connection), reason -> connection.close(reason, null));
  }

  /** The long way for the messages of a connection. */
  WholeMessages messagesOf(Connection connection, UnansweredMessages unanswered, ClientPeer peer) {
    return new WholeMessages(
        connection,
        this,
        () -> {
          ClientEndpoint endpoint = getEndpointManager().getEndpoint(connection);
          return endpoint != null && endpoint.isAuthenticated();
        },
        node.getProperties().getInteger(ClusterProperty.CLIENT_PROTOCOL_UNVERIFIED_MESSAGE_BYTES),
        peer::holds,
        unfinished.new OfConnection(() -> tenantOf(connection)),
        unanswered);
  }

  /** Lets nobody in whom the grid would not know as a client of the session's tenant. */
  @Override
  public boolean bind(ClientEndpoint endpoint) {
    UUID id = endpoint.getUuid();
    int tenant = tenantOf(endpoint.getConnection());
    if (id == null || tenant < 1 || ClientIds.tenantOf(id) != tenant) {
      LOG.error("a client authenticated without an id of its tenant: {}", endpoint.getConnection());
      return false;
    }
    return super.bind(endpoint);
  }

  /** The number of the tenant whose client has a connection; -1 if none has authenticated. */
  public static int tenantOf(Connection connection) {
    DoorSession session = DoorSession.of(connection);
    return session == null ? -1 : session.identity().number();
  }

  /** Returns the number of requests of a tenant's clients that wait for their answers. */
  @Override
  public int waitingRequests(int tenant) {
    return hold.waiting().requests(tenant);
  }

  /** Returns the bytes of a tenant's waiting requests. */
  @Override
  public long waitingBytes(int tenant) {
    return hold.waiting().bytes(tenant);
  }

  /** About how many bytes of answers and events a tenant's clients have not read. */
  @Override
  public long unreadBytes(int tenant) {
    return unread.bytes(tenant);
  }

  /**
   * Returns the number of connections that were closed because their clients did not read what they
   * were sent.
   */
  @Override
  public long cutOff() {
    return unread.cutOff();
  }

  /** Returns the bytes of heap that a tenant's requests and their results take. */
  @Override
  public long temporaryBytes(int tenant) {
    return hold.waiting().heapBytes(tenant);
  }

  /** Returns the number of listeners that a tenant's clients have at this member. */
  @Override
  public int listeners(int tenant) {
    return hold.listeners().of(tenant);
  }

  /** Returns the number of transactions that a tenant's clients have open at this member. */
  @Override
  public int openTransactions(int tenant) {
    return hold.transactions().of(tenant);
  }

  private boolean isServing() {
    return node.getState() == NodeState.ACTIVE && node.getNodeExtension().isStartCompleted();
  }

  @Override
  public SecurityContext getSecurityContext() {
    return security;
  }

  @Override
  public ClientExceptionFactory getExceptionFactory() {
    return errors;
  }

  @Override
  public void accept(ClientMessage message) {
    MessageDescriptor descriptor = MessageTable.find(message.getMessageType());
    Connection connection = message.getConnection();
    if (descriptor != null && descriptor.rule() == MessageRule.AUTHENTICATION) {
      if (mayAsk(connection)) {
        authenticate(message, connection);
      }
      return;
    }
    DoorSession session = DoorSession.of(connection);
    if (session == null) {
      if (!mayAsk(connection)) {
        return;
      }
      refuse(message, "the client must authenticate before any other request");
      connection.close("a request before authentication", null);
      return;
    }
    if (session.hasEnded()) {
      return;
    }
    try {
      admit(message, descriptor, session);
    } catch (MessageRefusedException e) {
      refuse(message, session, e);
    } catch (InvalidNameException e) {
      session.visit().malformed(session.visit().apart());
      answer(message, new IllegalArgumentException(e.getMessage()));
    }
  }

  /** Hazelcast fails on the thread that reads, or does not answer, where there is no partition. */
  private void checkPartition(ClientMessage message) {
    int partition = message.getPartitionId();
    if (partition < -1 || partition >= partitions) {
      throw new MessageRefusedException(
          "partition id " + partition + " is none: the grid has " + partitions + ", from 0");
    }
  }

  /** Returns false if it closed the connection: clients without a key send too much. */
  private static boolean mayAsk(Connection connection) {
    ClientPeer peer = ClientPeer.of(connection);
    if (peer == null || peer.mayAsk()) {
      return true;
    }
    connection.close("clients without an access key send too many requests", null);
    return false;
  }

  private void refuse(ClientMessage message, DoorSession session, MessageRefusedException why) {
    Visit visit = session.visit();
    visit.refused(visit.apart(), why.object(), String.valueOf(why.getMessage()));
    refuse(message, why.getMessage());
  }

  /** Authenticates a connection, once: of two sessions one would forget what the other may hear. */
  private void authenticate(ClientMessage message, Connection connection) {
    SaidId said = SaidId.in(message);
    if (!said.note(connection)) {
      refuse(message, "a connection authenticates once");
      connection.close("a second authentication", null);
      return;
    }
    String refusal = refusalOf(said.id());
    if (refusal != null) {
      refuse(message, refusal); // whatever comes next ends the connection
      return;
    }
    pools.runBlocking(authentication(message, connection), connection);
  }

  /** Returns why a client with this UUID is refused, or null if it may authenticate. */
  private @Nullable String refusalOf(@Nullable UUID said) {
    if (said == null) {
      return "the authentication has no UUID of the client: it must have one that is the client's";
    }
    if (node.getClusterService().getMember(said) != null) {
      return "the authentication has the UUID of a member: it must have one that is the client's";
    }
    return null;
  }

  private void admit(
      ClientMessage message, @Nullable MessageDescriptor descriptor, DoorSession session) {
    if (descriptor == null) {
      throw new MessageRefusedException(
          "tenant '"
              + session.identity().tenant()
              + "' may not send "
              + ClosedFamilies.describe(message.getMessageType())
              + ": it is not open to tenants");
    }
    checkPartition(message);
    Visit visit = session.visit();
    visit.arrived(message.getFrameLength());
    if (!await(message, descriptor.waiting(), session)) {
      return;
    }
    if (descriptor.rule() == MessageRule.HOUSEKEEPING) {
      visit.exempt();
      visit.apart().add(Measure.BYTES_IN, message.getFrameLength());
      if (isOver(HeapGate.refusalOfStatistics(message, descriptor), message, session)) {
        return;
      }
      if (countListener(message, descriptor, session)) {
        pools.accept(message);
      }
      return;
    }
    int size = descriptor.size().of(message);
    Measure measure = descriptor.measure();
    NotAdmitted why = visit.admit(measure, size, message.getFrameLength());
    if (why != null) {
      visit.turnedAway(visit.apart(), why);
      visit.apart().add(Measure.BYTES_IN, message.getFrameLength());
      overload(message, why.message());
      return;
    }
    visit.operations(1);
    int bytes = message.getFrameLength(); // of the name as the client says it
    String map = descriptor.namesMap() ? NameRewriter.nameIn(message) : null;
    if (forward(message, descriptor, session, map, size)) {
      UsageMeter meter = map == null ? visit.apart() : session.usage().of(map);
      visit.served(meter, measure, size);
      meter.add(Measure.BYTES_IN, bytes);
    }
  }

  /**
   * Counts a request until it is answered.
   *
   * @return false if it is not to be carried out: the tenant has too much waiting, or the client
   *     has sent another with its number, which ends the session
   */
  private static boolean await(ClientMessage message, WaitingKind kind, DoorSession session) {
    return switch (session
        .waiting()
        .admit(message.getCorrelationId(), message.getFrameLength(), kind)) {
      case ADMITTED -> true;
      case TOO_MUCH -> {
        session.visit().heldOff(session.visit().apart());
        session.visit().apart().add(Measure.BYTES_IN, message.getFrameLength());
        overload(message, session.waiting().refusal(kind));
        yield false;
      }
      case REPEATED -> {
        session.end("a request had the number of one that was not answered");
        yield false;
      }
    };
  }

  /**
   * Has a request carried out.
   *
   * @param map as the client says it; null if it is about none
   * @param elements how many keys or elements it has
   * @return false if it was answered: a quota is used up
   */
  private boolean forward(
      ClientMessage message,
      MessageDescriptor descriptor,
      DoorSession session,
      @Nullable String map,
      int elements) {
    foreignTypes.check(message);
    objects.check(message, descriptor.objects());
    if (!countListener(message, descriptor, session)) {
      return true;
    }
    if (isOver(QuotaLimits.refusalOfLock(message, descriptor, session), message, session)
        || isOver(refusalInTransaction(message, descriptor, session), message, session)) {
      return false;
    }
    awaitBackups(message);
    NameRewriter rewriter = session.rewriter();
    Connection connection = message.getConnection();
    switch (descriptor.rule()) {
      case OPERATION -> {
        if (descriptor.keeping() == Keeping.TRANSACTION) {
          if (isOver(session.transactions().begin(message), message, session)) {
            pools.runBlocking(() -> rollBackOverdue(connection, session), connection);
            return false;
          }
        } else {
          session.granted().endTransaction(message);
          session.transactions().end(message);
        }
        pools.accept(message);
      }
      case KEYED_NAME -> {
        if (!scope(message, descriptor, session, map, elements)) {
          return false;
        }
        if (descriptor.type() == MapForceUnlockCodec.REQUEST_MESSAGE_TYPE) {
          session.visit().unlocked(NameRewriter.nameIn(message));
          pools.runBlocking(() -> forceUnlock(message, descriptor), connection);
        } else if (remoteReads == null || !isServing() || !remoteReads.take(message, session)) {
          pools.accept(message);
        }
      }
      case PROCESSOR -> {
        processors.check(message);
        if (!scope(message, descriptor, session, map, elements)) {
          return false;
        }
        pools.accept(message);
      }
      case SQL -> sql.accept(message, session);
      case SCHEMA -> {
        if (descriptor.keeping() == Keeping.SCHEMA) {
          pools.runBlocking(() -> registerSchemas(message, session), connection);
        } else {
          pools.accept(message); // who has the id has the schema too, or a value that needs it
        }
      }
      case INDEX -> {
        if (!scope(message, descriptor, session, map, elements)) {
          return false;
        }
        pools.runBlocking(() -> addIndex(message), connection);
      }
      case SINGLE_NAME -> {
        rewriter.rewriteName(message, Placement.BY_NAME, map);
        if (isOver(
            heap.refusalOnObject(message, descriptor, session, elements), message, session)) {
          return false;
        }
        pools.accept(message);
      }
      case NAME_AND_SERVICE -> {
        boolean destroys = descriptor.keeping() != Keeping.OBJECT;
        rewriter.rewriteNameAndService(message, destroys);
        if (!destroys
            && isOver(heap.refusalOfObjects(message, descriptor, session), message, session)) {
          return false;
        }
        pools.accept(message);
      }
      case NAMES_AND_SERVICES -> {
        rewriter.rewriteNamesAndServices(message);
        if (isOver(heap.refusalOfObjects(message, descriptor, session), message, session)) {
          return false;
        }
        pools.accept(message);
      }
      case MAP_NAMES -> {
        rewriter.rewriteMapNames(message);
        pools.runBlocking(new TenantMapSequences(message, node, connection, session), connection);
      }
      case OBJECT_LIST ->
          pools.runBlocking(new TenantObjectList(message, node, connection, session), connection);
      case OBJECT_EVENTS ->
          pools.runBlocking(new TenantObjectEvents(message, node, connection, session), connection);
      case AUTHENTICATION, HOUSEKEEPING ->
          throw new IllegalStateException("handled before: rule=" + descriptor.rule());
    }
    return true;
  }

  /** Counts what a request within a transaction makes the member keep until that ends. */
  private static @Nullable String refusalInTransaction(
      ClientMessage message, MessageDescriptor descriptor, DoorSession session) {
    return descriptor.transactional() ? session.transactions().add(message, descriptor) : null;
  }

  /** Hazelcast keeps transactions that have timed out until they are rolled back. */
  private void rollBackOverdue(Connection connection, DoorSession session) {
    ClientEndpoint endpoint = getEndpointManager().getEndpoint(connection);
    if (endpoint == null) {
      return;
    }
    for (UUID id : session.transactions().overdue()) {
      try {
        TransactionContext transaction = endpoint.getTransactionContext(id);
        endpoint.removeTransactionContext(id);
        transaction.rollbackTransaction();
      } catch (RuntimeException e) { // it has ended meanwhile, or was not open any more
        LOG.debug("an overdue transaction was not rolled back: {}", e.toString());
      }
      session.transactions().forget(id);
    }
  }

  /**
   * Answers a request that a limit refuses.
   *
   * @param refusal why; null if none does
   */
  private boolean isOver(@Nullable String refusal, ClientMessage message, DoorSession session) {
    if (refusal == null) {
      return false;
    }
    session.visit().overQuota(session.visit().apart());
    overload(message, refusal);
    return true;
  }

  /**
   * Sees to it that the request is about a map of the session's tenant, or granted to it. From then
   * on its answer is the map's.
   *
   * @param map as the client says it; null if it was not read
   * @param elements how many keys or elements it has
   * @return false if it was answered: a quota is used up
   */
  private boolean scope(
      ClientMessage message,
      MessageDescriptor descriptor,
      DoorSession session,
      @Nullable String map,
      int elements) {
    if (!session.granted().admit(message, descriptor, partitions)) {
      session.rewriter().rewriteName(message, Placement.BY_KEY, map);
    }
    if (isOver(limits.refusalOnMap(message, descriptor, session), message, session)
        || isOver(heap.refusalOnObject(message, descriptor, session, elements), message, session)) {
      return false;
    }
    if (map != null) {
      session.usage().expectAnswer(message.getCorrelationId(), session.usage().of(map));
    }
    return true;
  }

  /**
   * Clients ask to be answered before the backups are, and to hear from the backups themselves;
   * when the owner dies in between, they take the answer for good and an acknowledged write can be
   * lost. Without the flag the member answers when the backups have.
   */
  private static void awaitBackups(ClientMessage message) {
    message.getStartFrame().flags &= ~ClientMessage.BACKUP_AWARE_FLAG;
  }

  /** Ends the transaction that holds the lock, as a whole; leaves other locks to Hazelcast. */
  private void forceUnlock(ClientMessage message, MessageDescriptor descriptor) {
    try {
      MapForceUnlockCodec.RequestParameters lock = MapForceUnlockCodec.decodeRequest(message);
      if (!HazelcastEngine.of(nodeEngine).endTransaction(lock.name, lock.key)) {
        pools.accept(message);
        return;
      }
    } catch (RuntimeException e) {
      LOG.debug("a lock was not forced off", e);
      answer(message, e);
      return;
    }
    ClientMessage done = MapForceUnlockCodec.encodeResponse();
    done.setMessageType(descriptor.answerType());
    answer(message, done);
  }

  /** An index is kept before it is made, so that one that was acknowledged is there for good. */
  private void addIndex(ClientMessage message) {
    MapAddIndexCodec.RequestParameters index;
    try {
      index = MapAddIndexCodec.decodeRequest(message);
    } catch (RuntimeException e) {
      LOG.debug("an index was not made, as its request is not readable", e);
      answer(
          message,
          new IllegalArgumentException(
              "the request to add an index is not readable: send a name, and a type and attributes"
                  + " of the index"));
      return;
    }
    try {
      keptIndexes.accept(index.name, index.indexConfig);
    } catch (RuntimeException e) {
      if (unkeptIndexes.take() >= 0) {
        LOG.warn("an index was not made, as it could not be kept: {}", e.getMessage());
      }
      answer(message, e);
      return;
    }
    pools.accept(message);
  }

  /**
   * Counts a request that adds or removes a listener.
   *
   * @return false if it was answered: it removes none of this connection's, or there is no room
   * @throws RefusedException if the tenant has too many
   */
  private boolean countListener(
      ClientMessage message, MessageDescriptor descriptor, DoorSession session) {
    boolean adds = descriptor.addsListener();
    if (!adds && !descriptor.removesListener()) {
      return true;
    }
    String said = descriptor.structure() == null ? "" : NameRewriter.nameIn(message);
    if (adds) {
      boolean foreign = session.granted().isForeign(said);
      return !isOver(session.listeners().ask(message, descriptor, said, foreign), message, session);
    }
    if (session.listeners().leaves(message, said)) {
      return true;
    }
    ClientMessage none = MapRemoveEntryListenerCodec.encodeResponse(false);
    none.setMessageType(descriptor.answerType());
    answer(message, none);
    return false;
  }

  /** Hazelcast's own task would take an id that is known for the schema that was sent. */
  private void registerSchemas(ClientMessage message, DoorSession session) {
    try {
      var _ =
          schemas
              .register(session.identity().number(), TenantSchemas.in(message))
              .whenComplete(
                  (members, failure) -> answerSchemas(message, session, members, failure));
    } catch (MessageRefusedException e) {
      refuse(message, session, e);
    } catch (RuntimeException e) { // whose words may tell of another's schema
      LOG.warn("schemas were not registered: {}", e.toString());
      answer(message, new HazelcastException("the schemas were not registered: send them again"));
    }
  }

  private void answerSchemas(
      ClientMessage message,
      DoorSession session,
      @Nullable Collection<UUID> members,
      @Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof MessageRefusedException refused) {
      refuse(message, session, refused);
    } else if (cause != null) {
      answer(message, cause);
    } else {
      answer(
          message,
          message.getMessageType() == ClientSendSchemaCodec.REQUEST_MESSAGE_TYPE
              ? ClientSendSchemaCodec.encodeResponse(members == null ? List.of() : members)
              : ClientSendAllSchemasCodec.encodeResponse());
    }
  }

  private MessageTask authentication(ClientMessage message, Connection connection) {
    return message.getMessageType() == ClientAuthenticationCodec.REQUEST_MESSAGE_TYPE
        ? new PasswordAuthentication(message, node, connection)
        : new TokenAuthentication(message, node, connection);
  }

  /** Hazelcast clients of all languages know this exception by its code in the protocol. */
  @SuppressWarnings("removal")
  private void refuse(ClientMessage request, @Nullable String reason) {
    LOG.debug("refused a request of {}: {}", request.getConnection(), reason);
    answer(request, new AccessControlException(reason));
  }

  private static void overload(ClientMessage request, String message) {
    answer(request, QuietErrors.overload(message));
  }

  private void answer(ClientMessage request, Throwable error) {
    answer(request, errors.createExceptionMessage(error));
  }

  private static void answer(ClientMessage request, ClientMessage answer) {
    answer.setCorrelationId(request.getCorrelationId());
    request.getConnection().write(answer);
  }
}
