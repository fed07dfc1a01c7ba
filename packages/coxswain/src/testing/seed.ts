/** Where all that is random in a test cluster comes from. */

import { seededRandom, type Random } from '@coxswain/apimachinery';

/** The environment variable that replays a run. */
export const seedVariable = 'COXSWAIN_SEED';

/** For failures. */
export const replayOf = (seed: number): string => `${seedVariable}=${seed} replays it`;

/** As asked for, as the environment says, or one of chance. @throws Error for an environment that says no number */
export function chooseSeed(asked: number | undefined, environment: string | undefined): number {
  if (asked !== undefined) return asked >>> 0;
  if (environment === undefined || environment === '') return Math.floor(Math.random() * 2 ** 32);
  if (!/^\d{1,10}$/.test(environment))
    throw new Error(`${seedVariable} must be a number, not "${environment}"`);
  return Number(environment) >>> 0;
}

/** Another sequence for each purpose, so that one that is used more does not shift the others. */
export const randomFor = (seed: number, purpose: string): Random => seededRandom(mixed(seed, purpose));

/** UUIDs of version 4, as random as their source. */
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
