package io.keyvalueserve.maps;

import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Records;

/** A number that a record has besides its value, in memory or on the way there. */
enum Part {
  VERSION {
    @Override
    int of(long record) {
      return Records.version(record);
    }

    @Override
    void set(long record, int value) {
      Records.setVersion(record, value);
    }

    @Override
    int of(Attributes attributes) {
      return attributes.version;
    }

    @Override
    void set(Attributes attributes, int value) {
      attributes.version = value;
    }
  },
  USES {
    @Override
    int of(long record) {
      return Records.frequency(record);
    }

    @Override
    void set(long record, int value) {
      Records.setFrequency(record, value);
    }

    @Override
    int of(Attributes attributes) {
      return attributes.frequency;
    }

    @Override
    void set(Attributes attributes, int value) {
      attributes.frequency = value;
    }
  },
  HITS {
    @Override
    int of(long record) {
      return Records.hits(record);
    }

    @Override
    void set(long record, int value) {
      Records.setHits(record, value);
    }

    @Override
    int of(Attributes attributes) {
      return attributes.hits;
    }

    @Override
    void set(Attributes attributes, int value) {
      attributes.hits = value;
    }
  },
  LAST_ACCESS {
    @Override
    int of(long record) {
      return Records.lastAccessSeconds(record);
    }

    @Override
    void set(long record, int value) {
      Records.setLastAccessSeconds(record, value);
    }

    @Override
    int of(Attributes attributes) {
      return attributes.lastAccessSeconds;
    }

    @Override
    void set(Attributes attributes, int value) {
      attributes.lastAccessSeconds = value;
    }
  },
  CREATION {
    @Override
    int of(long record) {
      return Records.creationSeconds(record);
    }

    @Override
    void set(long record, int value) {
      Records.setCreationSeconds(record, value);
    }

    @Override
    int of(Attributes attributes) {
      return attributes.creationSeconds;
    }

    @Override
    void set(Attributes attributes, int value) {
      attributes.creationSeconds = value;
    }
  },
  LAST_UPDATE {
    @Override
    int of(long record) {
      return Records.lastUpdateSeconds(record);
    }

    @Override
    void set(long record, int value) {
      Records.setLastUpdateSeconds(record, value);
    }

    @Override
    int of(Attributes attributes) {
      return attributes.lastUpdateSeconds;
    }

    @Override
    void set(Attributes attributes, int value) {
      attributes.lastUpdateSeconds = value;
    }
  },
  LAST_STORED {
    @Override
    int of(long record) {
      return Records.lastStoredSeconds(record);
    }

    @Override
    void set(long record, int value) {
      Records.setLastStoredSeconds(record, value);
    }

    @Override
    int of(Attributes attributes) {
      return attributes.lastStoredSeconds;
    }

    @Override
    void set(Attributes attributes, int value) {
      attributes.lastStoredSeconds = value;
    }
  };

  /** Its value in memory. */
  abstract int of(long record);

  /** Writes it to memory. */
  abstract void set(long record, int value);

  /** Its value on the way to memory. */
  abstract int of(Attributes attributes);

  /** Writes it on its way. */
  abstract void set(Attributes attributes, int value);
}
