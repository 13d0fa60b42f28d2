/**
 * Holds classes that must be in Hazelcast's package to read package-private parts of operations.
 */
@NullMarked
package com.hazelcast.map.impl.operation;

import org.jspecify.annotations.NullMarked;
