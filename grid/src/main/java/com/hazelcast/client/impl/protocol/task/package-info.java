/** Where Hazelcast's constructors are package-private: as little of ours as possible. */
@NullMarked
package com.hazelcast.client.impl.protocol.task;

import org.jspecify.annotations.NullMarked;
