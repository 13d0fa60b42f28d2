/**
 * Holds classes that need package-private parts of Hazelcast's pipelines. They are kept as few and
 * as small as possible.
 */
@NullMarked
package com.hazelcast.internal.networking.nio;

import org.jspecify.annotations.NullMarked;
