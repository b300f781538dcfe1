import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;

@RoutedRepository
class Orders extends Missing implements AlsoMissing {
  @ReadReplica(maxStaleness = UNKNOWN)
  public NotThere find(long id) {
    return null;
  }

  @ReadReplica(maxStaleness = 5)
  public void other() {}
}
