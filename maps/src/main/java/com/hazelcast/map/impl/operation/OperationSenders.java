package com.hazelcast.map.impl.operation;

import com.hazelcast.map.impl.tx.TxnSetOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sender of a Hazelcast operation on a map. Lives in Hazelcast's package because a
 * transaction's write keeps its sender package-private.
 */
public final class OperationSenders {
  private static final VarHandle OWNER;

  static {
    try {
      OWNER =
          MethodHandles.privateLookupIn(TxnSetOperation.class, MethodHandles.lookup())
              .findVarHandle(TxnSetOperation.class, "ownerUuid", UUID.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private OperationSenders() {}

  /** The id of the client or the member; null if it is not known. */
  public static @Nullable UUID of(Operation operation) {
    return operation instanceof TxnSetOperation transaction
        ? (UUID) OWNER.get(transaction)
        : operation.getCallerUuid();
  }
}
