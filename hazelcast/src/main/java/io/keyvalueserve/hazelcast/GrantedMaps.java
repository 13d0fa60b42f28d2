package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.client.impl.protocol.codec.TransactionCommitCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.FixedSizeTypesCodec;
import com.hazelcast.internal.nio.Bits;
import io.keyvalueserve.grid.space.KeyText;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.MapAccess;
import io.keyvalueserve.tenancy.grant.Rights;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a session may do with the maps of other tenants: each request is held against its
 * {@link MapNeed}. The grid knows such a map by the name that the client uses, {@code owner/map},
 * so nothing has to be rewritten. Used by the thread that reads the connection, except where a
 * method says otherwise.
 */
final class GrantedMaps {
  private static final char OWNER = '/';
  private static final int MOST_CHARACTERS_SHOWN = 80;

  /** The longest time for which a tenant may keep a key of another's locked at a stretch. */
  static final long MOST_LEASE_MILLIS = 60_000;

  private static final int TRANSACTION_OFFSET =
      ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES;

  /** The second field of a fixed size of a request for a lock, after the thread's number. */
  private static final int LEASE_OFFSET =
      ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES + Long.BYTES;

  private final Identity identity;
  private final GrantDirectory grants;
  private final Hearing hearing = new Hearing();
  private final GrantedTransactions transactions = new GrantedTransactions();
  private final KeyText text = new KeyText();

  GrantedMaps(Identity identity, GrantDirectory grants) {
    this.identity = identity;
    this.grants = grants;
  }

  /** Returns the events that the client may be told of. */
  Hearing hearing() {
    return hearing;
  }

  /**
   * Returns whether a name is of the form that objects of another tenant have, whether or not that
   * tenant exists.
   */
  boolean isForeign(String said) {
    int slash = said.indexOf(OWNER);
    String own = identity.tenant().value();
    return slash >= 0 && !(slash == own.length() && said.startsWith(own));
  }

  /**
   * Returns what is granted on another tenant's map; null if nothing is. Any thread may call this.
   */
  @Nullable MapAccess access(String gridName) {
    return QualifiedName.parse(gridName).map(name -> grants.access(identity, name)).orElse(null);
  }

  /** The client's name for a map of another's, if anything is granted on it. Any thread. */
  Optional<String> nameOf(String gridName) {
    return access(gridName) == null ? Optional.empty() : Optional.of(gridName);
  }

  /** Returns whether the client may read everything in another tenant's map. */
  boolean mayReadAll(String gridName) {
    MapAccess access = access(gridName);
    return access != null && access.allowsAll(Rights.READ);
  }

  /**
   * Returns whether the client may have a proxy for another tenant's object: only for maps, and
   * only if anything is granted.
   */
  boolean mayName(String said, Structure structure) {
    return structure == Structure.MAP && access(said) != null;
  }

  /**
   * Looks at a request that begins with a name.
   *
   * @param partitions how many the grid has
   * @return whether the name is that of another's map, and all that the request needs is granted;
   *     false if the name is no other tenant's
   * @throws RefusedException if it is another tenant's, and something is missing
   */
  boolean admit(ClientMessage message, MessageDescriptor descriptor, int partitions) {
    Frame name = message.getStartFrame().next;
    if (name == null || !mayBeForeign(name.content)) {
      return false;
    }
    String said = new String(name.content, StandardCharsets.UTF_8);
    if (!isForeign(said)) {
      return false;
    }
    MapNeed need = descriptor.need();
    if (need != null && need.on() == MapNeed.On.NOTHING) {
      return true;
    }
    MapAccess access = access(said);
    if (access == null) {
      throw noGrant(said);
    }
    if (need == null) {
      throw new MessageRefusedException(
          said,
          "tenant '"
              + identity.tenant()
              + "' may not send this to '"
              + said
              + "': no grant opens it; only the owner may");
    }
    long version = access.version();
    check(need, access, message, name, partitions);
    if (descriptor.transactional()) {
      transactions.touched(transactionOf(message), access, version);
    }
    if (descriptor.keeping() == Keeping.LOCK) {
      limitLease(message);
    }
    return true;
  }

  /** A refusal that says the same whether or not there is such an object, or such a tenant. */
  MessageRefusedException noGrant(String said) {
    String shown =
        said.length() <= MOST_CHARACTERS_SHOWN
            ? said
            : said.substring(0, MOST_CHARACTERS_SHOWN) + "...";
    return new MessageRefusedException(
        shown,
        "tenant '"
            + identity.tenant()
            + "' has no grant on '"
            + shown
            + "': a name with a slash is TENANT/NAME; names of your own have none");
  }

  /**
   * Looks at a request that ends a transaction.
   *
   * @throws RefusedException if it is to be committed, and what was granted has changed
   */
  void endTransaction(ClientMessage message) {
    UUID transaction = transactionOf(message);
    if (message.getMessageType() == TransactionCommitCodec.REQUEST_MESSAGE_TYPE
        && !transactions.mayCommit(transaction)) { // nor if it is asked again
      throw new MessageRefusedException(
          "what is granted on others' maps has changed since the transaction used them: roll it back"
              + " and begin again");
    }
    transactions.ended(transaction);
  }

  /** All requests of a transaction have its id first. */
  private static UUID transactionOf(ClientMessage message) {
    byte[] fields = message.getStartFrame().content;
    if (fields.length < TRANSACTION_OFFSET + FixedSizeTypesCodec.UUID_SIZE_IN_BYTES) {
      throw new MessageRefusedException("the message ends before its transaction");
    }
    UUID id = FixedSizeTypesCodec.decodeUUID(fields, TRANSACTION_OFFSET);
    if (id == null) {
      throw new MessageRefusedException("the message names no transaction");
    }
    return id;
  }

  /** Returns whether all of {@code rights} are granted on a serialized key. */
  boolean allows(MapAccess access, Rights rights, byte[] data, int offset, int length) {
    return text.read(data, offset, length)
        ? access.allows(rights, text.bytes(), text.offset(), text.length())
        : access.allowsAll(rights);
  }

  /** A lock on another's key ends by itself, however long its holder meant to keep it. */
  private static void limitLease(ClientMessage message) {
    byte[] fields = message.getStartFrame().content;
    if (fields.length < LEASE_OFFSET + Long.BYTES) {
      throw new MessageRefusedException("the message ends before its lease");
    }
    long lease = Bits.readLongL(fields, LEASE_OFFSET);
    if (lease <= 0 || lease > MOST_LEASE_MILLIS) {
      Bits.writeLongL(fields, LEASE_OFFSET, MOST_LEASE_MILLIS);
    }
  }

  private static boolean mayBeForeign(byte[] name) {
    for (byte b : name) {
      if (b == OWNER) {
        return true;
      }
    }
    return false;
  }

  private void check(
      MapNeed need, MapAccess access, ClientMessage message, Frame name, int partitions) {
    Rights rights = need.rights();
    Placed placed = new Placed(message.getPartitionId(), partitions);
    switch (need.on()) {
      case NOTHING -> {}
      case MAP -> requireAll(access, rights);
      case KEY -> require(access, rights, following(name), placed);
      case KEY_OF_PROCESSOR -> require(access, rights, following(following(name)), placed);
      case KEYS -> requireEach(access, rights, following(name), false, placed);
      case KEYS_OF_PROCESSOR ->
          requireEach(access, rights, following(following(name)), false, placed);
      case ENTRIES -> requireEach(access, rights, following(name), true, placed);
      case EVENTS -> {
        requireSome(access, rights);
        hearing.entries(message.getCorrelationId(), access);
      }
      case ALL_EVENTS -> {
        requireAll(access, rights);
        hearing.everything(message.getCorrelationId(), access);
      }
    }
  }

  private static void requireAll(MapAccess access, Rights rights) {
    if (!access.allowsAll(rights)) {
      throw new MessageRefusedException(access.map().toString(), access.refusal(rights));
    }
  }

  private static void requireSome(MapAccess access, Rights rights) {
    if (!access.allowsSome(rights)) {
      throw new MessageRefusedException(access.map().toString(), access.refusalOfAny(rights));
    }
  }

  private void require(MapAccess access, Rights rights, Frame key, Placed placed) {
    byte[] data = key.content;
    if (!placed.isRight(data, 0, data.length)) {
      throw new MessageRefusedException(
          access.map().toString(), "a key of '" + access.map() + "' comes with a wrong partition");
    }
    if (!allows(access, rights, data, 0, data.length)) {
      throw new MessageRefusedException(
          access.map().toString(),
          text.read(data, 0, data.length)
              ? access.refusal(
                  rights,
                  Arrays.copyOfRange(text.bytes(), text.offset(), text.offset() + text.length()))
              : access.refusal(rights));
    }
  }

  /**
   * Checks each key of a list, read as Hazelcast does: the end is looked for only where a key would
   * begin.
   */
  private void requireEach(
      MapAccess access, Rights rights, Frame begin, boolean withValues, Placed placed) {
    Frame key = following(begin);
    while (!key.isEndFrame()) {
      require(access, rights, key, placed);
      key = following(withValues ? following(key) : key);
    }
  }

  private static Frame following(Frame frame) {
    Frame next = frame.next;
    if (next == null) {
      throw new MessageRefusedException("the message ends before its keys");
    }
    return next;
  }
}
