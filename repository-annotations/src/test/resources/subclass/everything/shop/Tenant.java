package shop;

import dev.leeway.annotation.Fallback;
import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Qualifier
@Retention(RetentionPolicy.RUNTIME)
public @interface Tenant {
  String name();

  Class<?>[] kinds() default {};

  Fallback mode() default Fallback.FAIL;

  char letter() default 'x';

  byte small() default 0;

  long large() default 0;

  float single() default 0;

  double twofold() default 0;

  boolean flag() default false;

  Tag[] tags() default {};

  @interface Tag {
    String value();
  }
}
