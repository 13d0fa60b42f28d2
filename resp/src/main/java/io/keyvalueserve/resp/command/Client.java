package io.keyvalueserve.resp.command;

import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import io.keyvalueserve.resp.watch.TenantDesk;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A client's session as its commands see it. All methods but {@link #profile}, {@link #unblock} and
 * {@link #kill} are for the session's event loop.
 */
public interface Client {
  /** The member it is connected to. */
  Member member();

  /** Returns whether it has authenticated. */
  boolean isAuthenticated();

  /**
   * Returns the identity that it speaks for.
   *
   * @throws IllegalStateException if it has not authenticated
   */
  Identity identity();

  /**
   * Makes it speak for this identity, on this map.
   *
   * @return false if the identity has lost its right meanwhile; the session ends
   * @throws CommandException if the tenant has as many connections as it may have, or the member is
   *     reserved for another, and the session ends; or if the map is another tenant's and nothing
   *     is granted on it. It then speaks for nobody
   */
  boolean enter(Identity identity, QualifiedName map);

  /**
   * Counts that it was not let in.
   *
   * @param shown the name that it gave; may be empty
   * @return 0, or for how many milliseconds keys from its address are held back, as too many were
   *     refused
   */
  long loginRefused(String shown);

  /** Keeps on record that it has taken somebody's lock off a key of its map. Any thread. */
  void unlocked(byte[] key);

  /** All that its tenant can reach. */
  TenantSpace space();

  /** The map it has selected. */
  KeyMap map();

  /** The name of the map it has selected. */
  QualifiedName mapName();

  /** Returns the level at which its tenant shares that map at present. */
  SharingLevel sharing();

  /**
   * A map of its tenant's, or another's that its tenant has been granted.
   *
   * @throws CommandException if nothing is granted on it
   */
  KeyMap map(QualifiedName name);

  /**
   * Makes it use this map from here on.
   *
   * @throws CommandException if it is another tenant's and nothing is granted on it
   */
  void select(QualifiedName name);

  /** Sets the name that it calls itself; may be empty. */
  void rename(String name);

  /** The name of the library it uses. */
  void nameLibrary(String name);

  /** The version of the library it uses. */
  void nameLibraryVersion(String version);

  /** Returns whether it is answered in RESP3. */
  boolean speaksResp3();

  /** Says whether it is answered in RESP3, this reply included. */
  void speakResp3(boolean yes);

  /** Returns whether it has begun a block of commands, by MULTI. */
  boolean isInBlock();

  /** Begins a block: what follows is queued. It must be in none. */
  void beginBlock();

  /** Drops the block, and what is watched. */
  void discardBlock();

  /**
   * Ends the block, and carries it out: all that is queued, or nothing.
   *
   * @return the reply to EXEC
   */
  CompletionStage<Reply> executeBlock(Request exec);

  /** Notes the state of keys of the selected map: a block is only carried out if it stays. */
  CompletionStage<Reply> watch(List<byte[]> keys);

  /** Watches no key any more. */
  void unwatch();

  /** Says whether an error of one command of a block undoes all of it. */
  void rollBackOnError(boolean yes);

  /**
   * Returns what charges the tenant for work on the selected map that was carried out beyond the
   * operations that were admitted, and counts a refusal. It is for any thread, also when the client
   * has gone.
   */
  Consumer<TransactionScope.Work> bill();

  /**
   * Carries a request out that may have to wait. While it waits, it uses no thread.
   *
   * @return the reply: what it took, or that there was nothing in its time
   */
  CompletionStage<Reply> block(BlockedRequest request);

  /**
   * Ends the wait of its present request, as if its time were over, or with an error. Any thread.
   *
   * @return false if it does not wait
   */
  boolean unblock(boolean withError);

  /** Which replies a client gets, see {@link #replies}. */
  enum Replies {
    /** All. */
    ON,
    /** None. */
    OFF,
    /** All but that to the next request. */
    SKIP
  }

  /** Sets which replies it gets. That to the present request is one of them if all are. */
  void replies(Replies which);

  /** Returns what its tenant's sessions at this member have in common. */
  TenantDesk desk();

  /**
   * Shows it the requests of its tenant at this member from here on, until it is reset.
   *
   * @throws CommandException if too many of its tenant's sessions are shown them already
   */
  void monitor();

  /** Has its tenant's sessions at this member look whether they are paused still. */
  void wakeSiblings();

  /** Has its tenant's sessions at this member end when they are idle for too long. */
  void watchIdleSiblings();

  /**
   * Sends messages of a transaction that has been carried out. Any thread.
   *
   * @return the given reply, when they are on their way
   */
  CompletionStage<Reply> publish(List<OutgoingMessage> messages, Reply reply);

  /**
   * Returns who is told of changes of a map's keys, and of which. Any thread.
   *
   * @param map the name that {@link KeyMap#name} has
   */
  NoticeTarget noticeTarget(String map);

  /**
   * Has its tenant told of these events of its keys, at all members.
   *
   * @param flags {@link NotifyFlags}
   */
  void setNoticeFlags(int flags);

  /** Returns what it may do with channels. */
  Channels channels();

  /** Makes it as it was when it connected. */
  void reset();

  /** Ends it when the reply to this command has been sent. */
  void endAfterReply();

  /** Returns what others of its tenant may know of it. */
  ClientProfile profile();

  /** The clients of the same tenant at this door of this member, itself included. */
  List<Client> siblings();

  /** Ends it at once. Any thread. */
  void kill();
}
