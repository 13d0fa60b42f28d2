/** What has to live in Hazelcast's package to see what predicates keep to themselves. */
@NullMarked
package com.hazelcast.query.impl.predicates;

import org.jspecify.annotations.NullMarked;
