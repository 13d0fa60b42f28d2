/**
 * The door for Hazelcast clients of every language.
 *
 * <p>A message comes in on an IO thread and meets {@link
 * io.keyvalueserve.hazelcast.ClientDoor#accept}: who sends it (a {@link
 * io.keyvalueserve.hazelcast.DoorSession}), may a tenant send such a message (the {@link
 * io.keyvalueserve.hazelcast.MessageTable}; what is not in it is refused), which object does it
 * mean (the {@link io.keyvalueserve.hazelcast.ObjectNames}). Then it goes Hazelcast's own way. A
 * request on an entry of this member is answered before, where its bytes lie ({@code DirectDoor}).
 *
 * <p>{@code ClosedFamilies} names what is refused as a whole: executors, Jet, SQL, the CP
 * subsystem, JCache and others. {@code ProcessorGate} has the entry processors that are open.
 * {@code BulkSize} says for how many operations a message counts.
 */
@NullMarked
package io.keyvalueserve.hazelcast;

import org.jspecify.annotations.NullMarked;
