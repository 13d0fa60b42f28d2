package io.keyvalueserve.resp;

import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.gates.latency.LatencyLane;
import io.keyvalueserve.gates.visit.Tab;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.resp.command.Client;
import io.keyvalueserve.resp.command.ClientProfile;
import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.Descriptor.Flag;
import io.keyvalueserve.resp.command.Member;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.ConnectedClient;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.HostPort;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Session;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client at the other end of a connection: its identity, the map it has selected, its name, and
 * the counters of its use.
 *
 * <p>On the connection's event loop but for {@link #end}, {@link #kill}, {@link #identity}, {@link
 * #profile} and {@link #describe}, which any thread may call.
 */
final class RespClient implements Session, Client {
  private static final Logger LOG = LoggerFactory.getLogger(RespClient.class);

  private final RespSession session;
  private final SessionHost host;
  private final long id;
  private final long connectedNanos = System.nanoTime();

  private volatile @Nullable Identity identity;
  private volatile boolean ended;
  private boolean endsAfterReply;
  private boolean blockSpoiled;
  private @Nullable TenantSpace space;
  private @Nullable KeyMap map;
  private DirectMap direct = DirectMap.NONE;
  private boolean guarded;

  /** Null while it speaks for nobody. */
  private @Nullable Visit visit;

  private @Nullable LatencyLane latency;
  private final Tab tab = new Tab();
  private long freeBytes;
  private long bytesMetered;
  private long operations;
  private @Nullable Command lastRun;

  // What CLIENT LIST shows; read by other sessions' event loops.
  private volatile @Nullable QualifiedName mapName;
  private volatile String name = "";
  private volatile String library = "";
  private volatile String libraryVersion = "";
  private volatile String lastCommand = "";
  private volatile long lastUsedNanos = connectedNanos;

  RespClient(RespSession session, SessionHost host, long id) {
    this.session = session;
    this.host = host;
    this.id = id;
  }

  // ---- who it is

  /**
   * Makes it who it may be without a key, if that is anybody.
   *
   * @throws CommandException if it may be somebody who takes no sessions
   */
  void enterAnonymously() {
    if (host.authenticator().authenticateAnonymous()
            instanceof Authentication.Accepted(var anonymous)
        && !enter(anonymous, new QualifiedName(anonymous.tenant(), MapName.DEFAULT))) {
      throw new CommandException("ERR the tenant of this member takes no sessions");
    }
  }

  @Override
  public boolean enter(Identity newIdentity, QualifiedName mapToSelect) {
    leave();
    identity = newIdentity;
    Visit begun = host.visit(newIdentity);
    Visit.NoEntry refusal = begun.enter(this);
    if (refusal != null) {
      identity = null;
      endsAfterReply = true;
      return switch (refusal.entry()) {
        case TOO_MANY -> throw new CommandException("QUOTA " + refusal.reason());
        case RESERVED -> throw new CommandException("RESERVED " + refusal.reason());
        case ENTERED, NO_LONGER_VALID -> false;
      };
    }
    visit = begun;
    space = host.engine().space(newIdentity, session.endOfTurn());
    latency = begun.latency().lane();
    try {
      select(mapToSelect);
    } catch (RuntimeException e) {
      leave();
      throw e;
    }
    session.trust(true);
    begun.entered(remote());
    return true;
  }

  /** Makes it nobody. */
  void leave() {
    account();
    if (identity != null) {
      host.sessions().unregister(this);
      identity = null;
    }
    space = null;
    map = null;
    direct = DirectMap.NONE;
    visit = null;
    latency = null;
    tab.open(null);
    mapName = null;
    guarded = false;
    session.trust(false);
  }

  @Override
  public void reset() {
    leave();
    name = "";
    blockSpoiled = false;
    speakResp3(false);
    try {
      enterAnonymously();
    } catch (CommandException e) {
      session.refuse(e.reply());
    }
  }

  @Override
  public void end(String reason) {
    if (!ended) {
      ended = true;
      LOG.info("connection {} is ended: {}", id, reason);
      session.closeNow();
    }
  }

  @Override
  public void kill() {
    end("its tenant asked for it");
  }

  /** The connection is gone. */
  void departed() {
    ended = true;
    leave();
  }

  /** Returns whether the client has ended and nothing more is done for it. Any thread. */
  boolean hasEnded() {
    return ended;
  }

  @Override
  public boolean isAuthenticated() {
    return identity != null;
  }

  @Override
  public Identity identity() {
    Identity known = identity;
    if (known == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return known;
  }

  /** The tenant's name, for the log. */
  String tenant() {
    Identity who = identity;
    return who == null ? "(not authenticated)" : who.tenant().value();
  }

  // ---- what it uses

  void countBytesIn(int bytes) {
    Visit present = visit;
    if (present != null) {
      present.arrived(tab, bytes);
    }
  }

  /**
   * Counts a command that was admitted and carried out, or at least begun.
   *
   * @param count of the arguments, the name included
   */
  void used(Command command, int count) {
    Visit present = visit;
    if (present != null) {
      present.served(tab, command.descriptor().measure(), command.descriptor().operations(count));
    }
  }

  /** Counts commands; the last of them is what others see. Told with the next {@link #account}. */
  void ran(Command command, int count) {
    lastRun = command;
    operations += count;
  }

  /** Counts a request that named no command, or one with wrong arguments. */
  void ranUnresolved() {
    operations++;
  }

  /** Returns the lane in which its requests are timed, or null while it speaks for nobody. */
  @Nullable LatencyLane latency() {
    return latency;
  }

  /** Adds what was done since the last time to the tenant's meter, and shows it to others. */
  void account() {
    account(lastRun == null ? lastUsedNanos : System.nanoTime());
  }

  /** Does the same as {@link #account()} at a time that is known. */
  void account(long now) {
    long written = session.bytesWritten();
    Visit present = visit;
    Command last = lastRun;
    if (last != null) {
      lastRun = null;
      lastCommand = last.descriptor().fullName();
      lastUsedNanos = now;
    }
    if (operations != 0) {
      if (present != null) {
        present.operations(operations);
      }
      operations = 0;
    }
    if (present != null && written > bytesMetered) {
      present.answered(tab, written - bytesMetered, freeBytes);
    }
    freeBytes = 0;
    bytesMetered = written;
    tab.settle();
  }

  /**
   * Admits a request if the tenant's limits allow it now. A client that is not admitted may still
   * authenticate or quit.
   *
   * @param count of the arguments, the name included
   * @param bytes of the request
   * @return null if it may
   */
  @Nullable NotAdmitted admit(Command command, int count, long bytes) {
    Visit present = visit;
    if (present == null) {
      return null;
    }
    if (command.descriptor().has(Flag.NO_AUTH)) {
      present.exempt();
      return null;
    }
    return present.admit(
        command.descriptor().measure(), command.descriptor().operations(count), bytes);
  }

  /**
   * Admits a request that names no command or has wrong arguments, if the tenant's limits allow it.
   * It takes one operation and its bytes from the rates, as a PING does.
   *
   * @return null if it may
   */
  @Nullable NotAdmitted admitUnresolved(long bytes) {
    Visit present = visit;
    NotAdmitted why = present == null ? null : present.admit(null, 1, bytes);
    if (present != null && why == null) {
      present.served(tab, null, 1);
    }
    return why;
  }

  /** The request that was admitted last comes again, on the other way. */
  void prepay() {
    Visit present = visit;
    if (present != null) {
      present.prepay();
    }
  }

  /**
   * Called when one of the commands that {@link #ran} counts, in this turn, was not carried out.
   *
   * @param why it was not
   * @param bytes of the reply that says so: they do not count for its tenant
   */
  void notServed(NotAdmitted why, long bytes) {
    operations--;
    freeBytes += bytes;
    Visit present = visit;
    if (present != null) {
      present.turnedAway(tab, why);
    }
  }

  @Override
  public long loginRefused(String shown) {
    Visit present = visit;
    if (present != null) {
      present.keyRefused();
    }
    return host.keyRefused(shown, remote());
  }

  /** Counts a request that was refused for want of a right, and keeps it on record. */
  void refused(QualifiedName object, String reason) {
    Visit present = visit;
    if (present != null) {
      present.refused(tab, object.toString(), reason);
    }
  }

  /** Counts a refusal for the map that it has selected. */
  void refused(String reason) {
    QualifiedName selected = mapName;
    if (selected != null) {
      refused(selected, reason);
    }
  }

  @Override
  public void unlocked(byte[] key) {
    Visit present = visit;
    QualifiedName selected = mapName;
    if (present != null && selected != null) {
      present.unlocked(selected + " " + new String(key, StandardCharsets.UTF_8));
    }
  }

  private SocketAddress remote() {
    SocketAddress address = session.context().channel().remoteAddress();
    return address == null ? InetSocketAddress.createUnresolved("unknown", 0) : address;
  }

  // ---- the session as its commands see it

  @Override
  public Member member() {
    return host;
  }

  @Override
  public TenantSpace space() {
    TenantSpace own = space;
    if (own == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return own;
  }

  @Override
  public KeyMap map() {
    KeyMap selected = map;
    if (selected == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return selected;
  }

  /** Returns the access to the selected map for requests that are answered at once. */
  DirectMap direct() {
    return direct;
  }

  /** Returns whether the selected map is another tenant's. Requests may then be refused. */
  boolean isGuarded() {
    return guarded;
  }

  @Override
  public QualifiedName mapName() {
    QualifiedName selected = mapName;
    if (selected == null) {
      throw new IllegalStateException("the session has not authenticated");
    }
    return selected;
  }

  @Override
  public KeyMap map(QualifiedName name) {
    if (isOwn(name)) {
      return space().map(name.map());
    }
    return space()
        .granted(name)
        .orElseThrow(
            () -> {
              String reason =
                  "tenant '"
                      + identity().tenant()
                      + "' has no grant on '"
                      + name
                      + "': its owner can give one";
              refused(name, reason);
              return new CommandException("NOPERM " + reason);
            });
  }

  private boolean isOwn(QualifiedName name) {
    return name.tenant().equals(identity().tenant());
  }

  @Override
  public void select(QualifiedName newName) {
    KeyMap selected = map(newName);
    map = selected;
    direct = selected.direct(session.gate().uncertain());
    mapName = newName;
    account();
    Visit present = visit;
    tab.open(present == null ? null : present.meter(newName));
    guarded = !isOwn(newName);
  }

  @Override
  public SharingLevel sharing() {
    return host.usage().sharing(identity().number(), mapName());
  }

  @Override
  public void rename(String newName) {
    name = newName;
  }

  @Override
  public void nameLibrary(String libraryName) {
    library = libraryName;
  }

  @Override
  public void nameLibraryVersion(String version) {
    libraryVersion = version;
  }

  @Override
  public boolean speaksResp3() {
    return session.writer().speaksResp3();
  }

  @Override
  public void speakResp3(boolean yes) {
    session.writer().speakResp3(yes);
  }

  @Override
  public void spoilBlock(boolean yes) {
    blockSpoiled = yes;
  }

  @Override
  public boolean isBlockSpoiled() {
    return blockSpoiled;
  }

  @Override
  public void endAfterReply() {
    endsAfterReply = true;
  }

  /** Returns whether the running command is the client's last one. */
  boolean endsAfterReply() {
    return endsAfterReply;
  }

  String lastCommand() {
    return lastCommand;
  }

  @Override
  public ClientProfile profile() {
    long now = System.nanoTime();
    Identity who = identity;
    return new ClientProfile(
        id,
        text(session.context().channel().remoteAddress()),
        text(session.context().channel().localAddress()),
        name,
        TimeUnit.NANOSECONDS.toSeconds(now - connectedNanos),
        TimeUnit.NANOSECONDS.toSeconds(now - lastUsedNanos),
        mapName,
        who == null ? "" : who.tenant().value(),
        speaksResp3() ? 3 : 2,
        lastCommand,
        library,
        libraryVersion,
        session.readAheadBytes(),
        session.requestBytes(),
        session.unreadBytes());
  }

  @Override
  public ConnectedClient describe() {
    ClientProfile profile = profile();
    return new ConnectedClient(
        Door.RESP,
        profile.address(),
        profile.name(),
        (profile.library() + " " + profile.libraryVersion()).strip(),
        profile.mapText(),
        Instant.now().minusSeconds(profile.ageSeconds()),
        profile.lastCommand());
  }

  private static String text(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress inet
        ? HostPort.of(inet.getAddress().getHostAddress(), inet.getPort())
        : String.valueOf(address);
  }

  @Override
  public List<Client> siblings() {
    List<Client> clients = new ArrayList<>();
    for (Session other : host.sessions().of(identity().number())) {
      if (other instanceof RespClient client && client.host == host && !client.hasEnded()) {
        clients.add(client);
      }
    }
    return clients;
  }
}
