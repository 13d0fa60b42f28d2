package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.billing.metering.Measure.READS;
import static io.keyvalueserve.billing.metering.Measure.TRANSACTIONS;
import static io.keyvalueserve.billing.metering.Measure.WRITES;
import static io.keyvalueserve.hazelcast.MessageRule.AUTHENTICATION;
import static io.keyvalueserve.hazelcast.MessageRule.HOUSEKEEPING;
import static io.keyvalueserve.hazelcast.MessageRule.NAMES_AND_SERVICES;
import static io.keyvalueserve.hazelcast.MessageRule.NAME_AND_SERVICE;
import static io.keyvalueserve.hazelcast.MessageRule.OBJECT_EVENTS;
import static io.keyvalueserve.hazelcast.MessageRule.OBJECT_LIST;
import static io.keyvalueserve.hazelcast.MessageRule.OPERATION;
import static io.keyvalueserve.hazelcast.MessageRule.SCHEMA;
import static io.keyvalueserve.hazelcast.MessageRule.SQL;
import static io.keyvalueserve.hazelcast.RequestObjects.Parts.ALL;
import static io.keyvalueserve.hazelcast.WaitingKind.FREEING;
import static io.keyvalueserve.hazelcast.WaitingKind.ORDINARY;

import com.hazelcast.client.impl.protocol.codec.ClientAddClusterViewListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAddDistributedObjectListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAddPartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAuthenticationCodec;
import com.hazelcast.client.impl.protocol.codec.ClientAuthenticationCustomCodec;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxiesCodec;
import com.hazelcast.client.impl.protocol.codec.ClientCreateProxyCodec;
import com.hazelcast.client.impl.protocol.codec.ClientDestroyProxyCodec;
import com.hazelcast.client.impl.protocol.codec.ClientFetchSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.ClientGetDistributedObjectsCodec;
import com.hazelcast.client.impl.protocol.codec.ClientLocalBackupListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientPingCodec;
import com.hazelcast.client.impl.protocol.codec.ClientRemoveDistributedObjectListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientRemovePartitionLostListenerCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendAllSchemasCodec;
import com.hazelcast.client.impl.protocol.codec.ClientSendSchemaCodec;
import com.hazelcast.client.impl.protocol.codec.ClientStatisticsCodec;
import com.hazelcast.client.impl.protocol.codec.ClientTriggerPartitionAssignmentCodec;
import com.hazelcast.client.impl.protocol.codec.SqlCloseCodec;
import com.hazelcast.client.impl.protocol.codec.SqlExecuteCodec;
import com.hazelcast.client.impl.protocol.codec.SqlFetchCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCommitCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionCreateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionRollbackCodec;
import java.util.List;

/** The types of messages that are about a client and its transactions, and on no object. */
final class ClientMessages {
  private ClientMessages() {}

  /** Returns a row for each type. */
  static List<MessageRow> rows() {
    return List.of(
        client(HOUSEKEEPING, ClientAddClusterViewListenerCodec.REQUEST_MESSAGE_TYPE),
        client(OBJECT_EVENTS, ClientAddDistributedObjectListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(ClientRemoveDistributedObjectListenerCodec.REQUEST_MESSAGE_TYPE),
        client(HOUSEKEEPING, ClientAddPartitionLostListenerCodec.REQUEST_MESSAGE_TYPE)
            .adds(ClientRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE),
        client(AUTHENTICATION, ClientAuthenticationCodec.REQUEST_MESSAGE_TYPE),
        client(AUTHENTICATION, ClientAuthenticationCustomCodec.REQUEST_MESSAGE_TYPE),
        client(NAMES_AND_SERVICES, ClientCreateProxiesCodec.REQUEST_MESSAGE_TYPE)
            .keeps(Keeping.OBJECT),
        client(NAME_AND_SERVICE, ClientCreateProxyCodec.REQUEST_MESSAGE_TYPE).keeps(Keeping.OBJECT),
        client(NAME_AND_SERVICE, ClientDestroyProxyCodec.REQUEST_MESSAGE_TYPE),
        client(SCHEMA, ClientFetchSchemaCodec.REQUEST_MESSAGE_TYPE).charged(READS),
        client(OBJECT_LIST, ClientGetDistributedObjectsCodec.REQUEST_MESSAGE_TYPE),
        client(HOUSEKEEPING, ClientLocalBackupListenerCodec.REQUEST_MESSAGE_TYPE),
        client(HOUSEKEEPING, ClientPingCodec.REQUEST_MESSAGE_TYPE),
        client(HOUSEKEEPING, ClientRemoveDistributedObjectListenerCodec.REQUEST_MESSAGE_TYPE)
            .removesListener(),
        client(HOUSEKEEPING, ClientRemovePartitionLostListenerCodec.REQUEST_MESSAGE_TYPE)
            .removesListener(),
        // A client that lost the cluster sends again what it has registered, so this is a read.
        client(SCHEMA, ClientSendAllSchemasCodec.REQUEST_MESSAGE_TYPE)
            .charged(READS)
            .keeps(Keeping.SCHEMA),
        client(SCHEMA, ClientSendSchemaCodec.REQUEST_MESSAGE_TYPE)
            .charged(WRITES)
            .keeps(Keeping.SCHEMA),
        client(HOUSEKEEPING, ClientStatisticsCodec.REQUEST_MESSAGE_TYPE).keeps(Keeping.STATISTICS),
        client(HOUSEKEEPING, ClientTriggerPartitionAssignmentCodec.REQUEST_MESSAGE_TYPE),
        client(SQL, SqlCloseCodec.REQUEST_MESSAGE_TYPE).free().waits(FREEING),
        client(SQL, SqlExecuteCodec.REQUEST_MESSAGE_TYPE).free().waits(ORDINARY).makes(ALL),
        client(SQL, SqlFetchCodec.REQUEST_MESSAGE_TYPE).free().waits(ORDINARY),
        client(OPERATION, TransactionCommitCodec.REQUEST_MESSAGE_TYPE)
            .charged(TRANSACTIONS)
            .waits(FREEING),
        client(OPERATION, TransactionCreateCodec.REQUEST_MESSAGE_TYPE)
            .free()
            .keeps(Keeping.TRANSACTION),
        client(OPERATION, TransactionRollbackCodec.REQUEST_MESSAGE_TYPE)
            .charged(TRANSACTIONS)
            .waits(FREEING));
  }

  private static MessageRow client(MessageRule rule, int type) {
    return new MessageRow(type, rule, null);
  }
}
