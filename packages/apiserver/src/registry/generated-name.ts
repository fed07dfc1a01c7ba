/** Generates names from `generateName`: the prefix, truncated if necessary, and five characters that spell no words. */
import type { Random } from '@coxswain/apimachinery';

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const nameLengthMax = 63;

/** The maximum number of attempts to create an object when the generated name is taken. */
export const generatedNameAttemptsMax = 8;

export function generatedName(prefix: string, random: Random): string {
  let suffix = '';
  for (let at = 0; at < suffixLength; at++) suffix += alphabet[Math.floor(random.next() * alphabet.length)];
  return prefix.slice(0, nameLengthMax - suffixLength) + suffix;
}
