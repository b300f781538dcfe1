package shop;

import java.util.List;

interface Database {
  List<String> query(String sql, Object... parameters);

  void update(String sql, Object... parameters);
}
