package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.resp.protocol.Reply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Keeps and runs the scripts of tenants. A tenant sees its own scripts only.
 *
 * <p>Methods are for the event loop of the client's session. They do not block; stages complete on
 * any thread, also before the method returns.
 */
public interface Scripting {
  /**
   * The keys and arguments of a call.
   *
   * @param readOnly whether commands that write are refused
   */
  record Invocation(List<byte[]> keys, List<byte[]> arguments, boolean readOnly) {}

  /**
   * Runs a source, and keeps it for {@link #evalSha}.
   *
   * @throws CommandException if it is too long or no Lua
   */
  CompletionStage<Reply> eval(Client client, byte[] source, Invocation invocation);

  /**
   * Runs a script that is known.
   *
   * @param digest as the client gave it
   */
  CompletionStage<Reply> evalSha(Client client, String digest, Invocation invocation);

  /**
   * Makes a script ready, for a transaction that runs it beside other commands.
   *
   * @param map the map that its commands are about
   * @param source the source or the digest
   * @throws CommandException if no such script is in the member's cache, or it may not run
   */
  TransactionStep step(
      Client client, KeyMap map, byte[] source, boolean isDigest, Invocation invocation);

  /**
   * Runs a transaction that runs scripts of {@link #step}: on a thread for scripts, in the turn of
   * the client's tenant.
   */
  <T> CompletionStage<Optional<T>> transact(Client client, TransactionRequest<T> request);

  /**
   * Keeps a source where all members find it. Answers its digest.
   *
   * @throws CommandException if it is too long or no Lua
   */
  CompletionStage<Reply> load(Client client, byte[] source);

  /** Answers for each digest whether its script is known. */
  CompletionStage<Reply> exist(Client client, List<String> digests);

  /** Answers the source of a script. */
  CompletionStage<Reply> show(Client client, String digest);

  /** Forgets all scripts of the tenant, on all members. */
  CompletionStage<Reply> flush(Client client);

  /** Ends the tenant's long scripts that run on this member. */
  Reply kill(Client client);
}
