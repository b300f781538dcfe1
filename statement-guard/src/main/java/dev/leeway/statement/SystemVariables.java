package dev.leeway.statement;

/**
 * Which system variables tell a fact about the server that answers, rather than about a session.
 */
final class SystemVariables {
  /**
   * Variables that have one value per server, and that readers ask without saying {@code global}.
   */
  private static final String[] FACT_NAMES =
      """
      server_uuid server_id server_id_bits hostname port socket version version_comment
      version_compile_machine version_compile_os version_compile_zlib report_host report_port
      basedir datadir license system_time_zone lower_case_table_names lower_case_file_system
      read_only super_read_only offline_mode gtid_executed gtid_purged gtid_mode
      enforce_gtid_consistency log_bin max_connections innodb_version innodb_page_size
      protocol_version default_authentication_plugin character_set_system
      """
          .trim()
          .split("\\s+");

  private SystemVariables() {}

  /**
   * Whether the variable that stands at this place, its two signs included, has one value per
   * server or is asked for as such.
   */
  static boolean isFactOfTheServer(String text, int start, int end) {
    int name = start + 2;
    if (startsWith(text, name, end, "global.") || startsWith(text, name, end, "persist.")) {
      return true;
    }
    for (String fact : FACT_NAMES) {
      if (end - name == fact.length() && startsWith(text, name, end, fact)) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsWith(String text, int from, int end, String lower) {
    return end - from >= lower.length() && text.regionMatches(true, from, lower, 0, lower.length());
  }
}
