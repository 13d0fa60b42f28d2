package io.keyvalueserve.bench;

/**
 * How much loads of Redis' types have to do with.
 *
 * @param entries elements of all hashes, lists and sets, and counters
 * @param leaderboard members of the sorted set
 * @param subscribers of the channel
 * @param messageBytes the size of a message to them
 */
record TypePlan(int entries, int leaderboard, int subscribers, int messageBytes) {}
