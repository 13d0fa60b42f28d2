/**
 * The port between the service and a key-value engine, and the meaning of every key command.
 *
 * <p>KeyValueServe is key-value-store agnostic (seed 004, section 2.6.2): doors see only this
 * package. A {@link io.keyvalueserve.engine.TenantSpace} is a key space that is already scoped to
 * one tenant, so that access to somebody else's keys cannot even be written down. A {@link
 * io.keyvalueserve.engine.KeyMap} takes {@link io.keyvalueserve.engine.KeyCommand}s in batches.
 *
 * <p>What a command does to an entry is decided here, by a pure function ({@link
 * io.keyvalueserve.engine.KeyCommand#apply}), and carried out by the engine wherever the entry
 * lives. So every engine agrees, and the semantics can be tested without one.
 */
@NullMarked
package io.keyvalueserve.engine;

import org.jspecify.annotations.NullMarked;
