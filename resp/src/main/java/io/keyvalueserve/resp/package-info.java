/**
 * The door for Redis clients: a server that speaks RESP2 and RESP3.
 *
 * <p>{@link io.keyvalueserve.resp.RespServer} accepts connections; each becomes a {@link
 * io.keyvalueserve.resp.RespSession} on one event loop. While nothing of the session waits, its
 * requests take the {@code DirectPath}, which answers them where their bytes lie. The first one
 * that has to wait, and all behind it, take the {@code QueuedPath}, which gathers consecutive
 * commands on keys into one batch for the engine. Replies of both go down one {@code ReplyLane}, in
 * the order of the requests. Nothing blocks an event loop, and sessions share no lock.
 */
@NullMarked
package io.keyvalueserve.resp;

import org.jspecify.annotations.NullMarked;
