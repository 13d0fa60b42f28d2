/**
 * The door for Hazelcast clients of every language.
 *
 * <p>A message comes in on an IO thread and meets {@link
 * io.keyvalueserve.grid.door.ClientDoor#accept}: who sends it (a {@link
 * io.keyvalueserve.grid.door.DoorSession}), may a tenant send such a message (the {@link
 * io.keyvalueserve.grid.door.MessageTable}; what is not in it is refused), which object does it
 * mean (the {@link io.keyvalueserve.grid.door.ObjectNames}). Then it goes Hazelcast's own way.
 */
@NullMarked
package io.keyvalueserve.grid.door;

import org.jspecify.annotations.NullMarked;
