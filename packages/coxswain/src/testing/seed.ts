/** The source of all randomness in a test cluster. */

import { seededRandom, type Random } from '@coxswain/apimachinery';

/** The environment variable that replays a run. */
export const seedVariable = 'COXSWAIN_SEED';

/** Appended to failures. */
export const replayOf = (seed: number): string => `${seedVariable}=${seed} replays it`;

/**
 * Returns the requested seed, that of the environment, or a random one. @throws Error if the environment variable is
 * not a number
 */
export function chooseSeed(asked: number | undefined, environment: string | undefined): number {
  if (asked !== undefined) return asked >>> 0;
  if (environment === undefined || environment === '') return Math.floor(Math.random() * 2 ** 32);
  if (!/^\d{1,10}$/.test(environment))
    throw new Error(`${seedVariable} must be a number, not "${environment}"`);
  return Number(environment) >>> 0;
}

/** Returns a separate sequence for each purpose, so that more use of one does not shift the others. */
export const randomFor = (seed: number, purpose: string): Random => seededRandom(mixed(seed, purpose));

/** Returns version 4 UUIDs, as random as their source. */
export const uidsFrom = (random: Random) => (): string => {
  const digits = (count: number): string =>
    Math.floor(random.next() * 16 ** count)
      .toString(16)
      .padStart(count, '0');
  const variant = '89ab'[Math.floor(random.next() * 4)]!;
  return `${digits(8)}-${digits(4)}-4${digits(3)}-${variant}${digits(3)}-${digits(6)}${digits(6)}`;
};

/** FNV-1a. */
function mixed(seed: number, purpose: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < purpose.length; index++)
    hash = Math.imul(hash ^ purpose.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
