package io.keyvalueserve.journal.spill;

/**
 * The statistics of an area since it was opened. They are not of one instant.
 *
 * @param values how many values it holds
 * @param usedBytes what they take of the disk, with all that is kept free among them
 * @param capacityBytes what it may take
 * @param lostBytes what is not used again because it could not be written
 * @param valuesWritten how many values were written
 * @param bytesWritten bytes written to the disk, in how many {@code writes}
 * @param blocksReread blocks of slots that were read so that they could be filled up
 * @param valuesRead how many values were read, each in one read of the disk
 * @param bytesRead bytes read from the disk for them
 */
public record SpillStatistics(
    long values,
    long usedBytes,
    long capacityBytes,
    long lostBytes,
    long valuesWritten,
    long writes,
    long bytesWritten,
    long blocksReread,
    long valuesRead,
    long bytesRead) {}
