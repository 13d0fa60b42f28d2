/** Where Hazelcast's tasks keep their connection to themselves: as little of ours as possible. */
@NullMarked
package com.hazelcast.client.impl.protocol.task;

import org.jspecify.annotations.NullMarked;
