/** Random values that are not stored. */
import type { Random } from '@coxswain/apimachinery';

/**
 * Random values that requests use without storing them: the duration of a watch, the endpoint that a proxy picks, audit
 * IDs. They have sequences of their own, so that reading does not change what a seeded cluster stores afterwards.
 */
export interface TransientValues {
  readonly random: Random;
  readonly newUid: () => string;
}
