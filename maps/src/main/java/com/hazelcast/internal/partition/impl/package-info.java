/** What has to live in Hazelcast's package to reach what it keeps package-private. */
@NullMarked
package com.hazelcast.internal.partition.impl;

import org.jspecify.annotations.NullMarked;
