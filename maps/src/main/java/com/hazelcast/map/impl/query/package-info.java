/**
 * Holds classes that must be in Hazelcast's package to count the rows of queries as they are
 * gathered.
 */
@NullMarked
package com.hazelcast.map.impl.query;

import org.jspecify.annotations.NullMarked;
