package io.keyvalueserve.hazelcast;

/**
 * The things that the Hazelcast clients of tenants hold on this member.
 *
 * @param waiting their requests that are not answered yet
 * @param listeners what they listen to
 * @param transactions what they have open
 */
record TenantsHold(
    TenantsWaiting waiting, TenantsListeners listeners, TenantsTransactions transactions) {}
