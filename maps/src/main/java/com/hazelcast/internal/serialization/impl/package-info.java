/** The serialization service of a member, in Hazelcast's package to see what it keeps to itself. */
@NullMarked
package com.hazelcast.internal.serialization.impl;

import org.jspecify.annotations.NullMarked;
