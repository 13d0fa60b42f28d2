/**
 * Holds a class that reads the connection of Hazelcast's tasks, which is package-private. It is
 * kept as small as possible.
 */
@NullMarked
package com.hazelcast.client.impl.protocol.task;

import org.jspecify.annotations.NullMarked;
