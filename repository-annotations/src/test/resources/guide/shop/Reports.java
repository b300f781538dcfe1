package shop;

import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import java.util.List;

// tag::defaults[]
@RoutedRepository
@ReadReplica(maxStaleness = "1h")
interface Reports {
  List<Order> newestOrders();

  long customersPerCountry(String country);

  @ReadPrimary(because = "the month is closed with this figure")
  long revenueOf(int year, int month);
}
// end::defaults[]
