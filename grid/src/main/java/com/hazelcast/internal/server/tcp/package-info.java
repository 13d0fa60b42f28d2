/** Where accepting connections is package-private: as little of ours as possible. */
@NullMarked
package com.hazelcast.internal.server.tcp;

import org.jspecify.annotations.NullMarked;
