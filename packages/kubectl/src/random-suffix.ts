import type { Random } from '@coxswain/apimachinery';

/** Letters and digits that can't form a word by chance, as the API's generated names use. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

export const randomSuffix = (random: Random, length = 5): string =>
  Array.from({ length }, () => letters[Math.floor(random.next() * letters.length)]).join('');
