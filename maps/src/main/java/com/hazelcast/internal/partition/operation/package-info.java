/** What has to live in Hazelcast's package to tell operations apart that it keeps to itself. */
@NullMarked
package com.hazelcast.internal.partition.operation;

import org.jspecify.annotations.NullMarked;
