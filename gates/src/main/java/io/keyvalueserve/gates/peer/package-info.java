/**
 * Peers without a key: one small budget for all connections that have not authenticated, whichever
 * door they are at. Tenants' requests never come here.
 */
@NullMarked
package io.keyvalueserve.gates.peer;

import org.jspecify.annotations.NullMarked;
