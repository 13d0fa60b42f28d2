/**
 * Holds a class that must be in Hazelcast's package to read package-private parts of predicates.
 */
@NullMarked
package com.hazelcast.query.impl.predicates;

import org.jspecify.annotations.NullMarked;
