import type { Random } from '@coxswain/apimachinery';

/** Letters and digits that are unlikely to form words, as in the API's generated names. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

export const randomSuffix = (random: Random, length = 5): string =>
  Array.from({ length }, () => letters[Math.floor(random.next() * letters.length)]).join('');
