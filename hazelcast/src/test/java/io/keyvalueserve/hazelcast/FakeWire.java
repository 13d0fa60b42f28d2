package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.InboundPipeline;
import com.hazelcast.internal.networking.OutboundFrame;
import com.hazelcast.internal.networking.OutboundPipeline;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.internal.util.counters.SwCounter;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.grid.ClientLimits;
import io.keyvalueserve.grid.WaitingLimit;
import io.keyvalueserve.grid.turn.Reading;
import io.keyvalueserve.maps.gather.TemporaryHeap;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection with the door's own steps and without a network: does what Hazelcast's pipelines
 * do, with a socket that takes bytes or does not.
 */
final class FakeWire {
  static final int MOST_BUFFER_BYTES = 128 << 10;

  final TenantMeters meters = new TenantMeters(2);
  final UsageBook usage = new UsageBook(UUID.randomUUID(), 0);
  final UnfinishedMessages unfinished =
      new UnfinishedMessages(Long.MAX_VALUE, Long.MAX_VALUE, MemberHeap.unbounded());
  final DoorSession session;
  final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  /** Whether the client takes what is sent to it. */
  boolean taking = true;

  /** Whether the member has stopped to read. */
  boolean stopped;

  /** The thread that has the connection. */
  FakeThread thread;

  /** Whether the connection is closed. */
  boolean closed;

  /** Why the connection ended that could not be decoded. */
  @Nullable Throwable failure;

  private final ConcurrentMap<Object, Object> attributes = new ConcurrentHashMap<>();
  private final Queue<OutboundFrame> queue;
  private final Connection connection;
  private final DirectDecoder decoder;
  private final ReplyEncoder encoder;
  private boolean exchanged;
  private boolean woken;

  /**
   * @param slow gets what goes the long way
   */
  FakeWire(DirectDoor door, BiConsumer<FakeWire, ClientMessage> slow, boolean authenticated) {
    this(door, slow, authenticated, System::nanoTime);
  }

  /** One that times messages with this clock. */
  FakeWire(
      DirectDoor door,
      BiConsumer<FakeWire, ClientMessage> slow,
      boolean authenticated,
      LongSupplier nanoTime) {
    this(door, slow, authenticated, nanoTime, 1, FakeThread.alone());
  }

  /** One of a tenant that is with a certain thread. */
  FakeWire(
      DirectDoor door,
      BiConsumer<FakeWire, ClientMessage> slow,
      boolean authenticated,
      LongSupplier nanoTime,
      int tenant,
      FakeThread thread) {
    this.thread = thread;
    connection = fake(Connection.class, this::connection);
    session =
        new DoorSession(
            new Identity(new TenantName("acme"), tenant, "k"),
            connection,
            new TenantPolicy(
                new TenantDirectory(false),
                new SessionRegistry(any -> true),
                meters,
                usage,
                NoGrants.directory(),
                new Admissions(System::nanoTime),
                AccessAudit.NONE),
            new TenantsHold(
                new TenantsWaiting(
                    WaitingLimit.USUAL,
                    new TemporaryHeap(
                        WaitingLimit.USUAL.heapBytes(),
                        any -> 1,
                        MemberHeap.unbounded(),
                        HeapUse.REQUESTS)),
                new TenantsListeners(),
                new TenantsTransactions(10)));
    if (authenticated) {
      session.attach();
    }
    ReplyBacklog backlog = new ReplyBacklog(() -> woken = true);
    UnansweredMessages unanswered = new UnansweredMessages(new MessageTimes(nanoTime));
    UnreadAnswers.OfConnection unread =
        new UnreadAnswers(ClientLimits.usual().unread(), MemberHeap.unbounded())
            .enter(() -> tenant, reason -> close());
    queue = new AnswerQueue(unread);
    encoder = new ReplyEncoder(connection, backlog, unanswered, unread, MOST_BUFFER_BYTES);
    WholeMessages messages =
        new WholeMessages(
            connection,
            message -> slow.accept(this, message),
            () -> authenticated,
            1024,
            bytes -> {},
            unfinished.new OfConnection(() -> tenant),
            unanswered);
    decoder =
        new DirectDecoder(
            connection,
            new FakeReading(),
            () -> this.thread.deskHere(),
            door,
            backlog,
            unanswered,
            messages,
            () -> {},
            MOST_BUFFER_BYTES);
    decoder.setNormalPacketsRead(SwCounter.newSwCounter());
    Channel channel = fake(Channel.class, this::channel);
    decoder.setChannel(channel);
    encoder.setChannel(channel);
    encoder.src(queue::poll);
  }

  /** Sends a message the long way back. */
  void write(OutboundFrame frame) {
    boolean _ = queue.offer(frame);
    flush();
  }

  /**
   * One read of a socket that has these bytes.
   *
   * @return how many of them were read
   */
  int read(byte[] bytes, int from, int to) {
    ByteBuffer source = decoder.src();
    int count = Math.min(source.remaining(), to - from);
    source.put(bytes, from, count);
    process();
    return count;
  }

  /** Reads everything, in cuts. */
  void readAll(byte[] bytes, int cut) {
    for (int at = 0; at < bytes.length; ) {
      at += read(bytes, at, Math.min(bytes.length, at + cut));
    }
  }

  /** Has another thread have it, as {@code NioPipeline} does: it is decoded once more before. */
  void migrate(FakeThread to) {
    process();
    thread = to;
    stopped = false;
  }

  /** What the IO thread does when it was woken. Returns whether it was. */
  boolean wake() {
    if (!woken) {
      return false;
    }
    woken = false;
    process();
    return true;
  }

  /** Has the writer send what the client takes. */
  void flush() {
    HandlerStatus status;
    do {
      do {
        exchanged = false;
        status = encoder.onWrite();
      } while (exchanged);
      ByteBuffer target = encoder.dst();
      if (taking) {
        byte[] taken = new byte[target.remaining()];
        target.get(taken);
        sent.writeBytes(taken);
      }
    } while (taking && status != HandlerStatus.CLEAN);
  }

  /** What waits to be sent, in bytes. */
  long pendingBytes() {
    return queue.stream().mapToLong(OutboundFrame::getFrameLength).sum()
        + encoder.dst().remaining();
  }

  int inboundBufferBytes() {
    return decoder.src().capacity();
  }

  int outboundBufferBytes() {
    return encoder.dst().capacity();
  }

  private void process() {
    thread.enter();
    HandlerStatus status;
    do {
      exchanged = false;
      status = decoder.onRead();
    } while (exchanged);
    stopped = status == HandlerStatus.BLOCKED;
  }

  /** How many bytes more it can read now. */
  int room() {
    return decoder.src().remaining();
  }

  /** The connection is closed, as its listener hears. */
  void close() {
    closed = true;
    decoder.closed();
  }

  private final class FakeReading implements Reading {
    @Override
    public boolean isHere() {
      return thread.isRunning();
    }

    @Override
    public boolean isClosed() {
      return closed;
    }

    @Override
    public void stop() {
      stopped = true;
    }

    @Override
    public void goOn() {
      stopped = false;
    }

    @Override
    public void wakeUp() {
      woken = true;
    }

    @Override
    public void failed(Throwable cause) {
      failure = cause;
      close();
    }
  }

  private Object connection(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "attributeMap" -> attributes;
      case "close", "isAlive" -> true;
      case "write" -> {
        write((OutboundFrame) arguments[0]);
        yield true;
      }
      case "toString" -> "fake connection";
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }

  private Object channel(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
    InvocationHandler pipeline =
        (any, called, with) -> {
          if (!called.getName().equals("replace")) {
            throw new UnsupportedOperationException(called.toString());
          }
          exchanged = true;
          return any;
        };
    return switch (method.getName()) {
      case "inboundPipeline" -> fake(InboundPipeline.class, pipeline);
      case "outboundPipeline" -> fake(OutboundPipeline.class, pipeline);
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
