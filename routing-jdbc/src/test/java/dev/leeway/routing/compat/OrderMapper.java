package dev.leeway.routing.compat;

import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;

// tag::mybatis-mapper[]
/** A MyBatis mapper that says what its reads mean. */
public interface OrderMapper {
  @ReadReplica(maxStaleness = "1h")
  @Select("SELECT status FROM orders WHERE id = #{id}")
  String listedStatus(long id);

  @ReadPrimary(because = "shown for editing")
  @Select("SELECT status FROM orders WHERE id = #{id}")
  String currentStatus(long id);

  @Write
  @Update("UPDATE orders SET status = #{status} WHERE id = #{id}")
  void setStatus(@Param("id") long id, @Param("status") String status);
}
// end::mybatis-mapper[]
