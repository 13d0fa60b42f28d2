/**
 * Holds classes that accept connections, for which Hazelcast's parts are package-private. They are
 * kept as few and as small as possible.
 */
@NullMarked
package com.hazelcast.internal.server.tcp;

import org.jspecify.annotations.NullMarked;
