/**
 * The commands: what each is called, how it is read, and what it does.
 *
 * <p>A command is one small class that ends in {@link io.keyvalueserve.resp.command.CommandTable};
 * its descriptor is all that COMMAND, documentation and access control know of it. There are three
 * kinds, by what the session has to do: a {@link io.keyvalueserve.resp.command.KeyedCommand}
 * becomes part of a batch, a {@link io.keyvalueserve.resp.command.SpaceCommand} asks the engine and
 * is waited for, a {@link io.keyvalueserve.resp.command.SessionCommand} is answered on the spot.
 * None knows the network.
 */
@NullMarked
package io.keyvalueserve.resp.command;

import org.jspecify.annotations.NullMarked;
