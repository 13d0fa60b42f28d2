/** Where what Hazelcast's pipelines can do is package-private: as little of ours as possible. */
@NullMarked
package com.hazelcast.internal.networking.nio;

import org.jspecify.annotations.NullMarked;
