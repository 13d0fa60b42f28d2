package io.keyvalueserve.resp.command;

import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;

/**
 * A client's session as its commands see it. All methods but {@link #profile} and {@link #kill} are
 * for the session's event loop.
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

  /**
   * Says whether it is in a block of commands whose MULTI was refused: then none of them is to be
   * carried out.
   */
  void spoilBlock(boolean yes);

  /** Returns whether it is in such a block. */
  boolean isBlockSpoiled();

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
