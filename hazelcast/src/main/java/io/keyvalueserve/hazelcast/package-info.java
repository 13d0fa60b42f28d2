/**
 * The door for Hazelcast clients of every language.
 *
 * <p>A message comes in on an IO thread and meets {@link
 * io.keyvalueserve.hazelcast.ClientDoor#accept}: who sends it (a {@link
 * io.keyvalueserve.hazelcast.DoorSession}), may a tenant send such a message (the {@link
 * io.keyvalueserve.hazelcast.MessageTable}; what is not in it is refused), which object does it
 * mean (the {@link io.keyvalueserve.hazelcast.ObjectNames}). Then it goes Hazelcast's own way.
 */
@NullMarked
package io.keyvalueserve.hazelcast;

import org.jspecify.annotations.NullMarked;
