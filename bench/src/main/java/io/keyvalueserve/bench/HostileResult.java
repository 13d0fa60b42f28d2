package io.keyvalueserve.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a member was like beside hostile peers.
 *
 * @param seconds how long they were hostile, the rehearsal included
 * @param ended how the member ended; empty if it did not
 * @param ready whether it was ready at the end
 * @param fresh what it held when it had started
 * @param before what it held after the rehearsal
 * @param after what it held when it was at rest again, unless it ended
 * @param restSeconds how long it took until it was
 * @param victim what the other tenant saw
 * @param doors sums by door
 * @param kinds sums by kind of input
 * @param refusedConnections those that it did not take
 * @param idleClosed idle connections that it closed
 * @param leaks what was received that should not have been, and how often
 * @param log what it logged
 * @param failures of the load itself
 * @param last the inputs that each peer sent last
 */
record HostileResult(
    double seconds,
    Optional<String> ended,
    boolean ready,
    HostileFootprint fresh,
    HostileFootprint before,
    Optional<HostileFootprint> after,
    double restSeconds,
    HostileVictim.Seen victim,
    Map<String, HostileTally.Sums> doors,
    Map<String, HostileTally.Sums> kinds,
    long refusedConnections,
    long idleClosed,
    Map<String, Long> leaks,
    HostileLog log,
    List<String> failures,
    List<String> last) {}
