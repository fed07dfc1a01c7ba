import { denied, validating } from '@coxswain/controller';
import { Greeting } from './kinds.ts';

/** What a schema cannot say. What one can say, and CEL, belongs into kinds.ts. */
export const validateGreeting = validating(Greeting, ({ object }) =>
  object?.spec.text.includes('password') ? denied('a greeting has no secrets') : undefined,
);
