package dev.leeway.statement;

/**
 * Which system variables tell a fact about the server that answers, rather than about a session.
 */
final class SystemVariables {
  /**
   * Variables that have one value per server, and that readers ask without saying {@code global}.
   */
  static final String[] FACTS = {
    "basedir",
    "datadir",
    "enforce_gtid_consistency",
    "gtid_executed",
    "gtid_mode",
    "gtid_purged",
    "hostname",
    "innodb_page_size",
    "innodb_version",
    "license",
    "log_bin",
    "lower_case_file_system",
    "lower_case_table_names",
    "max_connections",
    "offline_mode",
    "port",
    "protocol_version",
    "read_only",
    "report_host",
    "report_port",
    "server_id",
    "server_uuid",
    "socket",
    "super_read_only",
    "system_time_zone",
    "version",
    "version_comment",
    "version_compile_machine",
    "version_compile_os",
    "version_compile_zlib"
  };

  private SystemVariables() {}

  /**
   * Whether the variable that stands at this place, two at signs included, has one value per
   * server, or is the word {@code global}, which asks for the server's value.
   */
  static boolean isFactOfTheServer(String text, int start, int end) {
    int name = start + 2;
    if (Names.matches(text, name, end, "global")) {
      return true;
    }
    for (String fact : FACTS) {
      if (Names.matches(text, name, end, fact)) {
        return true;
      }
    }
    return false;
  }
}
