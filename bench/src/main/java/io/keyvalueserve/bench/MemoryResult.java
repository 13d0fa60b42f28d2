package io.keyvalueserve.bench;

/**
 * What one server cost with one number of entries of one size.
 *
 * @param subject which server, with its collector and kind of memory
 * @param entries how many
 * @param valueBytes the size of a value; a key has {@link Load#KEY_BYTES}
 * @param overheadBytes what an entry takes above key and value, on the heap and off it
 * @param heapBytesPerEntry what an entry leaves on the Java heap
 * @param liveHeapBytes what lives on the Java heap with all entries
 * @param nativeBytes memory taken off the heap
 * @param residentBytes the process as the operating system sees it
 * @param longestPauseMillis the longest pause under load
 * @param p999PauseMillis the 99.9th percentile of pauses under load
 * @param totalPauseMillis all pauses under load
 * @param pauses how many
 * @param cpuMicros the server's processor time for each operation
 * @param operationsPerSecond done by the load
 * @param p50Micros the median latency of an operation
 * @param p999Micros its 99.9th percentile
 * @param longestMicros its longest
 */
record MemoryResult(
    String subject,
    int entries,
    int valueBytes,
    double overheadBytes,
    double heapBytesPerEntry,
    long liveHeapBytes,
    long nativeBytes,
    long residentBytes,
    double longestPauseMillis,
    double p999PauseMillis,
    double totalPauseMillis,
    int pauses,
    double cpuMicros,
    double operationsPerSecond,
    double p50Micros,
    double p999Micros,
    double longestMicros) {}
