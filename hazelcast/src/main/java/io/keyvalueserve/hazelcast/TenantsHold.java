package io.keyvalueserve.hazelcast;

/**
 * What the Hazelcast clients of tenants hold of this member.
 *
 * @param waiting their requests that are not answered yet
 * @param listeners what they listen to
 * @param transactions what they have open
 */
record TenantsHold(
    TenantsWaiting waiting, TenantsListeners listeners, TenantsTransactions transactions) {}
