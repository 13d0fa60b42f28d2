package io.keyvalueserve.resp;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.resp.protocol.RequestLimits;
import io.keyvalueserve.resp.script.ScriptLimits;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The configuration of a {@link RespServer}. Begin with {@link #at} and change what differs.
 *
 * @param address where to listen; port 0 takes any that is free
 * @param transport how to move bytes
 * @param eventLoops how many threads serve connections; 0 for one for each processor
 * @param mostValueBytes the longest argument a client may send and the longest value a command may
 *     build
 * @param mostCollectionBytes the largest collection that a command may build; {@link
 *     Integer#MAX_VALUE} for any
 * @param mostRequestBytes all arguments of one request together
 * @param mostClients how many connections to take; one more is told so and closed
 * @param output when a client that does not read its replies is cut off
 * @param messages when a subscriber that does not read its messages is cut off
 * @param backlog how much is read ahead of such a client
 * @param mostLargeBytes how many bytes of large arguments and replies all clients together may have
 *     in memory; one request may go beyond it
 * @param scripts the bounds of scripts
 * @param loopStart is told an event loop's number, from 0, by its thread before that serves anybody
 */
public record RespServerConfig(
    InetSocketAddress address,
    TransportPreference transport,
    int eventLoops,
    int mostValueBytes,
    int mostCollectionBytes,
    long mostRequestBytes,
    int mostClients,
    OutputLimits output,
    MessageLimits messages,
    BacklogLimits backlog,
    long mostLargeBytes,
    ScriptLimits scripts,
    IntConsumer loopStart) {
  private static final int DEFAULT_VALUE_BYTES = 64 * 1024 * 1024;
  private static final long DEFAULT_REQUEST_BYTES = 512L * 1024 * 1024;
  private static final int DEFAULT_CLIENTS = 10_000;

  /** Large arguments and replies of all clients may take this part of the heap. */
  private static final int HEAP_SHARE = 4;

  private static final int MOST_ARGUMENTS = 1024 * 1024;

  public RespServerConfig {
    if (mostValueBytes < 1
        || mostCollectionBytes < 1
        || mostRequestBytes < mostValueBytes
        || mostClients < 1
        || mostLargeBytes < 1) {
      throw new IllegalArgumentException(
          "limits must be positive, and a request may be no smaller than a value: mostValueBytes="
              + mostValueBytes
              + " mostRequestBytes="
              + mostRequestBytes
              + " mostClients="
              + mostClients
              + " mostLargeBytes="
              + mostLargeBytes);
    }
  }

  /** The preferred way of moving bytes. */
  public enum TransportPreference {
    /** The best this machine has: io_uring, then epoll, then NIO. */
    AUTO,
    IO_URING,
    EPOLL,
    NIO
  }

  /**
   * The limits for a client that does not read its replies: when it is held back, and when it is
   * cut off.
   *
   * @param holdBackBytes no more of its requests are served while so much waits to be sent
   * @param mostPendingBytes it is cut off when so much waits to be sent
   * @param longestStall it is cut off when it has been held back for so long without a break
   */
  public record OutputLimits(int holdBackBytes, long mostPendingBytes, Duration longestStall) {
    /** 1 MiB, 256 MiB, 60 seconds. */
    public static final OutputLimits DEFAULT =
        new OutputLimits(1024 * 1024, 256L * 1024 * 1024, Duration.ofSeconds(60));
  }

  /**
   * The limits for a subscriber that does not read: when it is cut off.
   *
   * @param hardBytes when so many bytes of messages wait for it
   * @param softBytes when so many have waited for the whole of {@code softTime}
   * @param softTime see {@code softBytes}
   */
  public record MessageLimits(long hardBytes, long softBytes, Duration softTime) {
    /** 32 MiB, and 8 MiB for 60 seconds, as in Redis. */
    public static final MessageLimits DEFAULT =
        new MessageLimits(32L * 1024 * 1024, 8L * 1024 * 1024, Duration.ofSeconds(60));
  }

  /**
   * The bytes of requests that are read ahead while a client does not read its replies. A client
   * that writes all its requests first is served if these fit. Otherwise it waits, as its writes
   * do.
   *
   * @param ofConnection for one connection
   * @param ofTenant for all connections of one tenant
   * @param ofAll for all
   */
  public record BacklogLimits(long ofConnection, long ofTenant, long ofAll) {
    /** The default bytes for one connection: 16 MiB. */
    public static final long DEFAULT_OF_CONNECTION = 16L * 1024 * 1024;

    private static final int HEAP_SHARE = 8;

    /**
     * The limits for a heap of this size: an eighth of it for all, half of that for a tenant.
     *
     * @param ofConnection for one connection; no more than a tenant may have
     */
    public static BacklogLimits of(long heapBytes, long ofConnection) {
      long ofAll = heapBytes / HEAP_SHARE;
      return new BacklogLimits(Math.min(ofConnection, ofAll / 2), ofAll / 2, ofAll);
    }
  }

  /** The defaults, at this address. */
  public static RespServerConfig at(InetSocketAddress address) {
    return new RespServerConfig(
        address,
        TransportPreference.AUTO,
        0,
        DEFAULT_VALUE_BYTES,
        KeyCommand.MOST_COLLECTION_BYTES,
        DEFAULT_REQUEST_BYTES,
        DEFAULT_CLIENTS,
        OutputLimits.DEFAULT,
        MessageLimits.DEFAULT,
        BacklogLimits.of(Runtime.getRuntime().maxMemory(), BacklogLimits.DEFAULT_OF_CONNECTION),
        Runtime.getRuntime().maxMemory() / HEAP_SHARE,
        ScriptLimits.DEFAULT,
        _ -> {});
  }

  /** Returns this configuration with another transport. */
  public RespServerConfig withTransport(TransportPreference preference) {
    return with(draft -> draft.transport = preference);
  }

  /** Returns this configuration with so many event loops. */
  public RespServerConfig withEventLoops(int count) {
    return with(draft -> draft.eventLoops = count);
  }

  /**
   * Returns this configuration with another longest value. The longest request grows with it where
   * it must.
   */
  public RespServerConfig withMostValueBytes(int bytes) {
    return with(
        draft -> {
          draft.mostValueBytes = bytes;
          draft.mostRequestBytes = Math.max(mostRequestBytes, bytes);
        });
  }

  /** Returns this configuration with another largest collection. */
  public RespServerConfig withMostCollectionBytes(int bytes) {
    return with(draft -> draft.mostCollectionBytes = bytes);
  }

  /** Returns this configuration with another longest request, no shorter than the longest value. */
  public RespServerConfig withMostRequestBytes(long bytes) {
    return with(draft -> draft.mostRequestBytes = bytes);
  }

  /** Returns this configuration with so many clients at most. */
  public RespServerConfig withMostClients(int count) {
    return with(draft -> draft.mostClients = count);
  }

  /** Returns this configuration with other limits for clients that do not read. */
  public RespServerConfig withOutput(OutputLimits limits) {
    return with(draft -> draft.output = limits);
  }

  /** Returns this configuration with other limits for subscribers that do not read. */
  public RespServerConfig withMessages(MessageLimits limits) {
    return with(draft -> draft.messages = limits);
  }

  /**
   * Returns this configuration with other limits for what is read ahead of clients that do not
   * read.
   */
  public RespServerConfig withBacklog(BacklogLimits limits) {
    return with(draft -> draft.backlog = limits);
  }

  /** Returns this configuration with so much room for large arguments and replies. */
  public RespServerConfig withMostLargeBytes(long bytes) {
    return with(draft -> draft.mostLargeBytes = bytes);
  }

  /** Returns this configuration with other bounds of scripts. */
  public RespServerConfig withScripts(ScriptLimits limits) {
    return with(draft -> draft.scripts = limits);
  }

  /** Returns this configuration with something that each event loop's thread does first. */
  public RespServerConfig withLoopStart(IntConsumer start) {
    return with(draft -> draft.loopStart = start);
  }

  private RespServerConfig with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.config();
  }

  /** One in which some things are changed. */
  private static final class Draft {
    final InetSocketAddress address;
    TransportPreference transport;
    int eventLoops;
    int mostValueBytes;
    int mostCollectionBytes;
    long mostRequestBytes;
    int mostClients;
    OutputLimits output;
    MessageLimits messages;
    BacklogLimits backlog;
    long mostLargeBytes;
    ScriptLimits scripts;
    IntConsumer loopStart;

    Draft(RespServerConfig of) {
      address = of.address;
      transport = of.transport;
      eventLoops = of.eventLoops;
      mostValueBytes = of.mostValueBytes;
      mostCollectionBytes = of.mostCollectionBytes;
      mostRequestBytes = of.mostRequestBytes;
      mostClients = of.mostClients;
      output = of.output;
      messages = of.messages;
      backlog = of.backlog;
      mostLargeBytes = of.mostLargeBytes;
      scripts = of.scripts;
      loopStart = of.loopStart;
    }

    RespServerConfig config() {
      return new RespServerConfig(
          address,
          transport,
          eventLoops,
          mostValueBytes,
          mostCollectionBytes,
          mostRequestBytes,
          mostClients,
          output,
          messages,
          backlog,
          mostLargeBytes,
          scripts,
          loopStart);
    }
  }

  /** A request that is longer than all may hold together is refused, unless one value may be. */
  RequestLimits requestLimits() {
    return new RequestLimits(
        mostValueBytes,
        MOST_ARGUMENTS,
        Math.min(mostRequestBytes, Math.max(mostValueBytes, mostLargeBytes)));
  }
}
