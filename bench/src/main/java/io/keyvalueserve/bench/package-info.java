/**
 * {@code kvs bench}: the papers' experiments and the peers, side by side in one run.
 *
 * <p>Every server under test is a process of its own, started and ended by the bench, reached
 * through a real client over loopback. What a server costs is read from the operating system and
 * from the JVM's own diagnosis, never from the server's word.
 */
@NullMarked
package io.keyvalueserve.bench;

import org.jspecify.annotations.NullMarked;
