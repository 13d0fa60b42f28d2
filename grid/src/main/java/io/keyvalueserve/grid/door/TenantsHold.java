package io.keyvalueserve.grid.door;

/**
 * What the Hazelcast clients of tenants hold of this member.
 *
 * @param waiting their requests that are not answered yet
 * @param listeners what they listen to
 */
record TenantsHold(TenantsWaiting waiting, TenantsListeners listeners) {}
