package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.ClientSendAllSchemasCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendSchemaCodec;
import com.hazelcast.internal.serialization.impl.compact.FieldDescriptor;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.serialization.impl.compact.schema.MemberSchemaService;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of Compact values that tenants register. Hazelcast keeps them in one registry for all
 * tenants, on the Java heap of each member, for as long as it runs, and knows them by a fingerprint
 * for which others can be made. So what a tenant adds through this member is bounded, and a schema
 * whose id stands for another one is refused.
 *
 * <p>Thread-safe. Tenants share no lock.
 */
final class TenantSchemas {
  /** The number of schemas that a tenant may add through one member. */
  static final int MOST_SCHEMAS = 1_000;

  /** The number of bytes that these schemas may have together. */
  static final int MOST_BYTES = 4 << 20;

  /**
   * The number of bytes that one schema may have: of names, 30 of its own, and 28 for each field.
   */
  static final int MOST_BYTES_EACH = 64 << 10;

  /**
   * The bytes that enclose a schema in a message: the schema itself, its type's name, and the list
   * of its fields.
   */
  private static final int SCHEMA_BYTES = 5 * FrameLayout.HEADER_BYTES;

  /** The bytes that enclose a field's name, and those of its kind. */
  private static final int FIELD_BYTES = 4 * FrameLayout.HEADER_BYTES + Integer.BYTES;

  private static final int MOST_CHARACTERS_SHOWN = 80;

  private final Supplier<MemberSchemaService> registry;
  private final ConcurrentHashMap<Integer, OfTenant> tenants = new ConcurrentHashMap<>();

  /**
   * @param registry Hazelcast's; asked for when the member has started
   */
  TenantSchemas(Supplier<MemberSchemaService> registry) {
    this.registry = registry;
  }

  /** The schemas that one tenant has added through this member. */
  private static final class OfTenant {
    private final Set<Long> ids = new HashSet<>();
    private long bytes;

    /**
     * Counts schemas that nobody has registered yet, each once.
     *
     * @param fresh their bytes by their ids
     * @throws RefusedException if they are too many; none of them is counted then
     */
    synchronized void take(Map<Long, Integer> fresh) {
      Map<Long, Integer> uncounted = new HashMap<>(fresh);
      uncounted.keySet().removeAll(ids);
      long sum = bytes + uncounted.values().stream().mapToLong(Integer::longValue).sum();
      if (ids.size() + uncounted.size() > MOST_SCHEMAS || sum > MOST_BYTES) {
        throw new MessageRefusedException(
            "a tenant may register "
                + MOST_SCHEMAS
                + " Compact schemas of "
                + MOST_BYTES
                + " bytes through a member; this one has registered "
                + ids.size()
                + " of "
                + bytes
                + " bytes: use fewer classes, or fewer versions of them");
      }
      ids.addAll(uncounted.keySet());
      bytes = sum;
    }
  }

  /**
   * The schemas that a client sends.
   *
   * @throws RefusedException if they cannot be read
   */
  static List<Schema> in(ClientMessage message) {
    try {
      return message.getMessageType() == ClientSendSchemaCodec.REQUEST_MESSAGE_TYPE
          ? List.of(ClientSendSchemaCodec.decodeRequest(message))
          : ClientSendAllSchemasCodec.decodeRequest(message);
    } catch (RuntimeException e) { // the codecs read on without looking
      throw new MessageRefusedException("the message holds no Compact schemas that can be read");
    }
  }

  /**
   * Has all members know some schemas: all of them or, if one is refused, none. Those that are
   * known already cost nothing.
   *
   * @return the ids of the members that know them, when they do; fails with a {@link
   *     RefusedException} if an id turns out to stand for another schema
   * @throws RefusedException if one is too large, or there are too many, or an id stands for
   *     another schema
   */
  CompletableFuture<Collection<UUID>> register(int tenant, List<Schema> schemas) {
    MemberSchemaService known = registry.get();
    Map<Long, Integer> fresh = new HashMap<>();
    for (Schema schema : schemas) {
      int bytes = checkedBytes(schema);
      if (known.get(schema.getSchemaId()) == null) {
        Integer _ = fresh.put(schema.getSchemaId(), bytes);
      } else {
        requireSame(schema, known);
      }
    }
    if (!fresh.isEmpty()) {
      tenants.computeIfAbsent(tenant, any -> new OfTenant()).take(fresh);
    }
    List<CompletableFuture<Collection<UUID>>> all = new ArrayList<>();
    for (Schema schema : schemas) {
      all.add(known.putAsync(schema));
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .handle(
            (_, failure) -> {
              complete(schemas, known, failure);
              return all.isEmpty() ? List.of() : all.getFirst().join();
            });
  }

  /** Hazelcast takes an id for the schema, and tells of the other one where it does not. */
  private static void complete(
      List<Schema> schemas, MemberSchemaService known, @Nullable Throwable failure) {
    for (Schema schema : schemas) {
      requireSame(schema, known);
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof IllegalStateException) {
      throw conflict(schemas.getFirst()); // with what another member has
    }
    if (cause != null) {
      throw new CompletionException(cause);
    }
  }

  private static void requireSame(Schema schema, MemberSchemaService known) {
    Schema other = known.get(schema.getSchemaId());
    if (other != null && !other.equals(schema)) {
      throw conflict(schema);
    }
  }

  private static MessageRefusedException conflict(Schema schema) {
    return new MessageRefusedException(
        "the Compact schema of type '"
            + shown(schema.getTypeName())
            + "' has the id "
            + schema.getSchemaId()
            + ", which stands for another schema already: give the type or a field another name");
  }

  private static int checkedBytes(Schema schema) {
    if (schema.getFieldCount() != schema.getFields().size()) {
      throw new MessageRefusedException(
          "the Compact schema of type '"
              + shown(schema.getTypeName())
              + "' has two fields of one name");
    }
    long bytes = bytes(schema);
    if (bytes > MOST_BYTES_EACH) {
      throw new MessageRefusedException(
          "the Compact schema of type '"
              + shown(schema.getTypeName())
              + "' has "
              + bytes
              + " bytes, and may have "
              + MOST_BYTES_EACH
              + ": split the class");
    }
    return (int) bytes;
  }

  /** Returns the number of bytes of a schema in a message. */
  static long bytes(Schema schema) {
    long bytes = (long) SCHEMA_BYTES + utf8Bytes(schema.getTypeName());
    for (FieldDescriptor field : schema.getFields()) {
      bytes += FIELD_BYTES + utf8Bytes(field.getFieldName());
    }
    return bytes;
  }

  private static int utf8Bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String shown(String typeName) {
    String plain = typeName.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= MOST_CHARACTERS_SHOWN
        ? plain
        : plain.substring(0, MOST_CHARACTERS_SHOWN) + "...";
  }
}
