import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;

@RoutedRepository
@ReadReplica
@ReadPrimary(because = "stock")
public interface Orders {
  @ReadReplica(maxStaleness = "5s")
  @Write
  String find(long id);
}
