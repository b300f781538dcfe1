import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;

@RoutedRepository
public interface Orders {
  @ReadReplica(maxStaleness = "5s")
  String find(long id);

  String undeclaredWhereNobodyIsStrict();
}
