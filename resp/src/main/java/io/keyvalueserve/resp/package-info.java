/**
 * The door for Redis clients: a server that speaks RESP2 and RESP3.
 *
 * <p>{@link io.keyvalueserve.resp.RespServer} accepts connections; each becomes a {@link
 * io.keyvalueserve.resp.RespSession} on one event loop. The session reads requests, gathers
 * consecutive commands on keys into one batch for the engine, and answers in the order of the
 * requests. Nothing blocks an event loop, and sessions share no lock.
 */
@NullMarked
package io.keyvalueserve.resp;

import org.jspecify.annotations.NullMarked;
