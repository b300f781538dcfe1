package shop;

import dev.leeway.annotation.Fallback;
import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import java.util.List;
import java.util.Optional;

// tag::interface[]
@RoutedRepository
public interface OrderRepository {
  @ReadReplica(maxStaleness = "5s")
  List<Order> listForCustomer(long customer);

  @ReadReplica(maxStaleness = "400ms", fallback = Fallback.FAIL, catchUp = "50ms")
  Optional<Order> find(long id);

  @ReadPrimary(because = "a retried request must find the order its first attempt made")
  Optional<Order> findByIdempotencyKey(String key);

  @Write
  long insert(Order order);
}
// end::interface[]
