/** Where Hazelcast's constructors are package-private: as little of ours as possible. */
@NullMarked
package com.hazelcast.map.impl;

import org.jspecify.annotations.NullMarked;
