/**
 * Holds a class that must be in Hazelcast's package to recognize its package-private operations.
 */
@NullMarked
package com.hazelcast.internal.partition.operation;

import org.jspecify.annotations.NullMarked;
