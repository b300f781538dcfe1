package dev.leeway.proxy.stats;

/**
 * What a proxy has done, counted since its start.
 *
 * @param clients client connections open now
 * @param serverConnections server connections open now
 * @param accepted client connections that were accepted
 * @param refusedLogins logins that failed
 * @param commands commands taken from clients
 * @param replicaReads of these, reads that a replica answered
 * @param handovers times a server connection went from one session to another
 * @param lostServers server connections that broke while a session used them
 */
public record ProxyStats(
    int clients,
    int serverConnections,
    long accepted,
    long refusedLogins,
    long commands,
    long replicaReads,
    long handovers,
    long lostServers) {}
