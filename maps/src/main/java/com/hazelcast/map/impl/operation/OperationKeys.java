package com.hazelcast.map.impl.operation;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapEntries;
import com.hazelcast.map.impl.tx.TxnPrepareOperation;
import com.hazelcast.map.impl.tx.TxnRollbackOperation;
import com.hazelcast.map.impl.tx.TxnUnlockOperation;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The keys of Hazelcast's operations on maps, and whether they look at their values. Lives in
 * Hazelcast's package because operations keep their keys to themselves.
 */
public final class OperationKeys {
  private static final VarHandle GET_ALL;
  private static final VarHandle PUT_ALL;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      GET_ALL =
          MethodHandles.privateLookupIn(GetAllOperation.class, lookup)
              .findVarHandle(GetAllOperation.class, "keys", List.class);
      PUT_ALL =
          MethodHandles.privateLookupIn(PutAllOperation.class, lookup)
              .findVarHandle(PutAllOperation.class, "mapEntries", MapEntries.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private OperationKeys() {}

  /**
   * The keys that an operation is about, each at least once.
   *
   * @return none if it is about none, or about all there are
   */
  public static Collection<Data> of(MapOperation operation) {
    return switch (operation) {
      case KeyBasedMapOperation one -> List.of(one.getKey());
      case ReadonlyKeyBasedMapOperation one -> List.of(one.dataKey);
      case GetAllOperation many -> keys(GET_ALL.get(many));
      case MultipleEntryOperation many -> many.keys;
      case PutAllOperation many -> keys((MapEntries) PUT_ALL.get(many));
      default -> List.of();
    };
  }

  @SuppressWarnings("unchecked") // what the field is
  private static Collection<Data> keys(Object list) {
    return (List<Data>) list;
  }

  private static Collection<Data> keys(MapEntries entries) {
    List<Data> keys = new ArrayList<>(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      keys.add(entries.getKey(i));
    }
    return keys;
  }

  /**
   * Returns whether an operation may look at the values of its keys.
   *
   * @param unobserved whether nobody is told of a value that is replaced
   */
  public static boolean looksAtValues(MapOperation operation, boolean unobserved) {
    if (unobserved
        && (operation instanceof SetOperation
            || operation instanceof DeleteOperation
            || operation instanceof PutAllOperation
            || operation instanceof ContainsKeyOperation)) {
      return false;
    }
    return !(operation instanceof TxnPrepareOperation
        || operation instanceof TxnRollbackOperation
        || operation instanceof TxnUnlockOperation);
  }

  /**
   * Returns whether an operation needs the entries of its keys, and not only their absence from
   * memory: it does unless it replaces them whatever they are.
   */
  public static boolean needsEntries(MapOperation operation) {
    return !(operation instanceof SetOperation
        || operation instanceof PutAllOperation
        || operation instanceof PutTransientOperation
        || operation instanceof TxnPrepareOperation
        || operation instanceof TxnRollbackOperation
        || operation instanceof TxnUnlockOperation);
  }

  /** Returns whether an operation runs an entry processor, also on backups. */
  public static boolean runsProcessor(MapOperation operation) {
    return operation instanceof EntryOperation
        || operation instanceof MultipleEntryOperation
        || operation instanceof PartitionWideEntryOperation;
  }
}
