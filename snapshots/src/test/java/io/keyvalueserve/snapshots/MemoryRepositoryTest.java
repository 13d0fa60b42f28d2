package io.keyvalueserve.snapshots;

/** The repository of other tests keeps the rules of all. */
class MemoryRepositoryTest extends RepositoryContract {
  private final Repository repository = new MemoryRepository();

  @Override
  Repository repository() {
    return repository;
  }
}
