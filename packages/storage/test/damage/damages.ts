/** Damage that happens to files, by itself or by mistake. */
import type { Random } from '@coxswain/apimachinery';
import type { LeftStore, StoreFiles } from './stores.ts';

export interface Damage {
  /** A description, for finding the cause. */
  readonly what: string;
  readonly files: StoreFiles;
}

type Change = (store: LeftStore, name: string, random: Random, other: LeftStore) => Damage;

const changes: readonly Change[] = [
  (store, name, random) => {
    const bytes = Buffer.from(store.files.get(name)!);
    const at = placeIn(bytes, random);
    const bit = Math.floor(random.next() * 8);
    bytes[at]! ^= 1 << bit;
    return { what: `bit ${bit} of byte ${at} of ${name} flipped`, files: withFile(store.files, name, bytes) };
  },
  (store, name, random) => {
    const whole = store.files.get(name)!;
    const length = Math.floor(random.next() * whole.length);
    return {
      what: `${name} cut off at ${length}`,
      files: withFile(store.files, name, whole.subarray(0, length)),
    };
  },
  (store, name) => ({ what: `${name} removed`, files: withFile(store.files, name, undefined) }),
  (store, name) => ({
    what: `${name} is that of some writes before`,
    files: withFile(store.files, name, store.earlier.get(name)),
  }),
  (store, name, _, other) => ({
    what: `${name} is that of another store`,
    files: withFile(store.files, name, other.files.get(name)),
  }),
  (store, name, random) => {
    const names = [...store.files.keys()];
    const second = names[Math.floor(random.next() * names.length)]!;
    const files = withFile(store.files, name, store.files.get(second));
    return {
      what: `${name} and ${second} exchanged`,
      files: withFile(files, second, store.files.get(name)),
    };
  },
  (store, name, random) => {
    const bytes = Buffer.from(store.files.get(name)!);
    const at = placeIn(bytes, random) & ~511;
    bytes.fill(0, at, at + 512);
    return { what: `the sector at ${at} of ${name} zeroed`, files: withFile(store.files, name, bytes) };
  },
];

/** Most rounds flip a bit: there are more bits than files. */
const flips = 0.7;

export function randomDamage(store: LeftStore, other: LeftStore, random: Random): Damage {
  const names = [...store.files.keys()];
  const name = names[Math.floor(random.next() * names.length)]!;
  const index = random.next() < flips ? 0 : Math.floor(random.next() * changes.length);
  return changes[index]!(store, name, random, other);
}

/** Mostly where there is data: files are padded with zeros. */
function placeIn(bytes: Buffer, random: Random): number {
  const tries = random.next() < 0.1 ? 1 : 50;
  let at = 0;
  for (let attempt = 0; attempt < tries; attempt++) {
    at = Math.floor(random.next() * bytes.length);
    if (bytes[at] !== 0) break;
  }
  // Favors the headers, in which few bytes mean much.
  return random.next() < 0.15 ? at % 200 : at;
}

function withFile(files: StoreFiles, name: string, bytes: Buffer | undefined): StoreFiles {
  const changed = new Map(files);
  if (bytes === undefined) changed.delete(name);
  else changed.set(name, bytes);
  return changed;
}
