package dev.leeway.routing.compat;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Select;

/** What only the tests ask. */
public interface TestedOrderMapper extends OrderMapper {
  /** The server that answers. */
  @ReadReplica
  @Select("SELECT name FROM whoami")
  String server();

  /** Gets its key from the database. */
  @Write
  @Insert("INSERT INTO orders (status) VALUES (#{status})")
  @Options(useGeneratedKeys = true, keyProperty = "id")
  void insert(NewOrder order);

  /** A row to be inserted. */
  final class NewOrder {
    private final String status;
    private long id;

    NewOrder(String status) {
      this.status = status;
    }

    public String getStatus() {
      return status;
    }

    public long getId() {
      return id;
    }

    public void setId(long id) {
      this.id = id;
    }
  }
}
