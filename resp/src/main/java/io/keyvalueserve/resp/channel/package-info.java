/**
 * Channels: who subscribes to which, and how a message reaches all of them.
 *
 * <pre>
 *   ChannelHub        all channels of a member
 *     TenantChannels  those of one tenant; looked up by threads that publish
 *       Topic         a channel or a pattern with subscribers
 *         LoopSubscribers   its subscribers on one event loop
 *   LoopMail          the messages for the subscribers on one event loop
 *     TenantMail      those of one tenant, with a bound
 *   Subscriber        a connection; its Subscriptions, and its Inbox of messages
 * </pre>
 */
@NullMarked
package io.keyvalueserve.resp.channel;

import org.jspecify.annotations.NullMarked;
