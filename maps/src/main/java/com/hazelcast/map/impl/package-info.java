/**
 * Holds classes that need Hazelcast's package-private constructors. They are kept as few and as
 * small as possible.
 */
@NullMarked
package com.hazelcast.map.impl;

import org.jspecify.annotations.NullMarked;
