package io.keyvalueserve.bench;

/**
 * What a disk does by itself, sequentially and a MiB at a time, in MiB/s; 0 if that is not known
 * here. Direct is without the page cache; on a virtual machine the host's cache may serve it.
 *
 * @param directWrite one thread, into a file that is there
 * @param directRead one thread
 * @param directReads as many threads as there are cores, each in its own part of the file
 * @param cachedWrite one thread through the page cache to the end of a new file, with fdatasync
 *     after each MiB
 * @param coldRead one thread through the page cache, which had been dropped
 */
record DiskLimits(
    double directWrite,
    double directRead,
    double directReads,
    double cachedWrite,
    double coldRead) {
  /** The most that was seen of direct reads. */
  double mostDirectRead() {
    return Math.max(directRead, directReads);
  }
}
