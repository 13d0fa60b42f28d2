/** What has to live in Hazelcast's package to see what operations keep to themselves. */
@NullMarked
package com.hazelcast.map.impl.operation;

import org.jspecify.annotations.NullMarked;
