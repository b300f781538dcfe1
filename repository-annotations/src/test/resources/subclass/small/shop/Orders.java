package shop;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

@RoutedRepository
@ReadReplica(maxStaleness = "5s")
public class Orders {
  private final DataSource database;

  public Orders(DataSource database) {
    this.database = database;
  }

  public List<String> list(long customer) throws SQLException {
    return List.of(database.getConnection().getCatalog());
  }

  @Write
  public void insert(String order) {}
}
