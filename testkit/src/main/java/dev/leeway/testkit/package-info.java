/**
 * A real MySQL topology inside a test: one primary, replicas that follow it by GTID, and the faults
 * that replication meets in production.
 *
 * <p>Start at {@link dev.leeway.testkit.MySqlCluster}. It finds MySQL by itself (an installation, a
 * Docker engine, or the packages of Debian and Ubuntu unpacked without root), starts real servers
 * on loopback, and leaves nothing behind when it is closed or when its JVM dies.
 *
 * <p>Threads: a cluster and its servers may be used from any thread. Faults change the whole
 * topology, so tests that use them must not share their cluster with tests running at the same
 * time.
 *
 * <p>May know: JDBC, the operating system's processes, Testcontainers. Knows nothing of Leeway's
 * routing, so that it can judge it.
 */
@NullMarked
package dev.leeway.testkit;

import org.jspecify.annotations.NullMarked;
