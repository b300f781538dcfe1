import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;

class Stock {
  @ReadPrimary(because = "the last one must not sell twice")
  public long left() {
    return 1;
  }
}

@RoutedRepository
class Orders extends Stock {
  private final long atStart;

  Orders() {
    atStart = list();
  }

  @ReadReplica(maxStaleness = "5s")
  public long list() {
    return super.left() + atStart;
  }

  @Override
  public long left() {
    return super.left();
  }

  @Write
  public long place() {
    return list() + this.left();
  }
}
