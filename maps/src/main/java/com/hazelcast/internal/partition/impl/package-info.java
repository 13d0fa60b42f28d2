/** Holds classes that must be in Hazelcast's package to reach its package-private members. */
@NullMarked
package com.hazelcast.internal.partition.impl;

import org.jspecify.annotations.NullMarked;
