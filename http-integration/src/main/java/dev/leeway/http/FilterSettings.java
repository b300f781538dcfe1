package dev.leeway.http;

import dev.leeway.routing.Leeway;
import java.util.List;
import java.util.Set;

/**
 * What a filter was told.
 *
 * @param leeways one for each cluster
 * @param names their names
 * @param cookie the cookie's name
 * @param cookieAttributes what follows its value, beginning with a semicolon
 * @param trailer whether what comes too late for the head of a response is sent behind its body
 */
record FilterSettings(
    List<Leeway> leeways,
    Set<String> names,
    String cookie,
    String cookieAttributes,
    boolean trailer) {}
