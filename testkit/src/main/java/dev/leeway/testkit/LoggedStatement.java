package dev.leeway.testkit;

/**
 * A statement that reached a server, from its general log.
 *
 * @param user the account that sent it
 * @param connectionId the server's number of the connection it came by
 * @param text the statement as it was sent
 */
public record LoggedStatement(String user, long connectionId, String text) {}
