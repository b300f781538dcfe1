import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;

interface Readable {
  @ReadReplica
  String get(long id);
}

@Write
interface Claimable {
  String get(long id);

  void claim();
}

interface Audited {
  @Write
  String get(long id);
}

@dev.leeway.annotation.RoutedRepository
interface Orders extends Readable, Claimable {}

@dev.leeway.annotation.RoutedRepository
interface AuditedOrders extends Readable, Audited {
  @Override
  String get(long id);
}

@dev.leeway.annotation.RoutedRepository
interface InheritingOrders extends Readable, Audited {}
