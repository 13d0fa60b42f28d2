package io.keyvalueserve.hazelcast;

/** The ways in which the door treats messages that tenants may send. */
enum MessageRule {
  /** Authenticates; open to everybody. */
  AUTHENTICATION,
  /** Names nothing of anybody, and is no operation on data: pings, topology, listeners' ends. */
  HOUSEKEEPING,
  /** Names nothing of anybody, and is an operation. */
  OPERATION,
  /** Is about a statement, whose session admits and charges it. */
  SQL,
  /** Registers schemas of Compact values, or asks for one; is an operation. */
  SCHEMA,
  /** Begins with the name of an object that is placed by its keys. */
  KEYED_NAME,
  /** Begins with the name of a map, then an entry processor. */
  PROCESSOR,
  /** Begins with the name of a map, then an index. */
  INDEX,
  /** Begins with the name of an object that is placed by its own name. */
  SINGLE_NAME,
  /** Begins with an object's name and its service. */
  NAME_AND_SERVICE,
  /** Is a list of names and services. */
  NAMES_AND_SERVICES,
  /** Begins with a list of names of maps, and is answered with such a list. */
  MAP_NAMES,
  /** Is answered with the names of objects. */
  OBJECT_LIST,
  /** Is answered with events that name objects. */
  OBJECT_EVENTS;

  /** Returns whether such messages are operations, which are counted and charged. */
  boolean isOperation() {
    return switch (this) {
      case OPERATION, SCHEMA, KEYED_NAME, PROCESSOR, INDEX, SINGLE_NAME -> true;
      case AUTHENTICATION,
          HOUSEKEEPING,
          NAME_AND_SERVICE,
          NAMES_AND_SERVICES,
          MAP_NAMES,
          OBJECT_LIST,
          OBJECT_EVENTS,
          SQL ->
          false;
    };
  }
}
