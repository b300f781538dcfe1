/** The code that docs/testkit.md shows. It is outside of the testkit's package, as users are. */
@NullMarked
package dev.leeway.testkit.guide;

import org.jspecify.annotations.NullMarked;
