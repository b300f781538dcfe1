/**
 * Carries what a user has written and seen from one HTTP request to his next one.
 *
 * <p>{@link dev.leeway.http.LeewayFilter} stands before the servlets: it opens a scope with the
 * position that came with the request, and sends the newer one back with the response, in a cookie
 * to browsers and in a header to services. {@link dev.leeway.http.PositionHttpClient} is the other
 * end of that header.
 *
 * <p>May know {@code dev.leeway.routing}, the servlet API and the JDK's HTTP client. What a
 * position says is not known here: texts are carried, and verified by the Leeway that reads them.
 */
@NullMarked
package dev.leeway.http;

import org.jspecify.annotations.NullMarked;
