/** Damage that happens to files, by itself or by mistake. */
import type { Random } from '@coxswain/apimachinery';
import type { LeftStore, StoreFiles } from './stores.ts';

export interface Damage {
  /** A description, for finding the cause. */
  readonly what: string;
  readonly files: StoreFiles;
}

type Change = (store: LeftStore, name: string, random: Random, other: LeftStore) => Damage;

const pageBytes = 4096;

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
  (store, _name, random) => {
    const bytes = Buffer.from(store.files.get('data.mdb')!);
    const { kind, at } = placeInPage(bytes, random);
    const bit = Math.floor(random.next() * 8);
    bytes[at]! ^= 1 << bit;
    return {
      what: `bit ${bit} of byte ${at} of data.mdb flipped, in a page of kind ${kind}`,
      files: withFile(store.files, 'data.mdb', bytes),
    };
  },
  (store, name, random) => {
    const bytes = Buffer.from(store.files.get(name)!);
    const [from, to] = [placeIn(bytes, random), placeIn(bytes, random)].map(
      (at) => Math.floor(at / pageBytes) * pageBytes,
    ) as [number, number];
    bytes.copy(bytes, to, from, from + pageBytes);
    return {
      what: `the page at ${to} of ${name} is the one at ${from}`,
      files: withFile(store.files, name, bytes),
    };
  },
  (store, name, random) => {
    const bytes = Buffer.from(store.files.get(name)!);
    const at = placeIn(bytes, random) & ~511;
    const garbage = Buffer.from(Array.from({ length: 512 }, () => Math.floor(random.next() * 256)));
    garbage.copy(bytes, at);
    return {
      what: `the sector at ${at} of ${name} is garbage`,
      files: withFile(store.files, name, bytes),
    };
  },
  (store, name, random) => {
    const garbage = Buffer.from(Array.from({ length: 5_000 }, () => Math.floor(random.next() * 256)));
    const longer = Buffer.concat([store.files.get(name)!, garbage]);
    return { what: `${name} has garbage at its end`, files: withFile(store.files, name, longer) };
  },
  (store, name) => ({
    what: `${name} alone`,
    files: new Map([[name, store.files.get(name)!]]),
  }),
  halfCopied,
];

/**
 * A copy that was made while the store was written, or ended early: each file is there, missing, older or cut off. Only
 * the superblock is not older: with an older log it would be an intact store of that time, whatever the tables are.
 */
function halfCopied(store: LeftStore, name: string, random: Random): Damage {
  const files = new Map<string, Buffer>();
  const what: string[] = [];
  for (const [each, bytes] of store.files) {
    const chance = each === name ? 0 : random.next();
    const earlier = each === 'superblock' ? undefined : store.earlier.get(each);
    if (chance < 0.5) files.set(each, bytes);
    else if (chance < 0.7) what.push(`without ${each}`);
    else if (chance < 0.85 && earlier !== undefined) {
      files.set(each, earlier);
      what.push(`with an earlier ${each}`);
    } else {
      const length = Math.floor((random.next() * bytes.length) / pageBytes) * pageBytes;
      files.set(each, bytes.subarray(0, length));
      what.push(`with ${length} bytes of ${each}`);
    }
  }
  return { what: `a copy ${what.join(', ')}`, files };
}

/** A place in a page of a random kind: in its header, its list of nodes, or where there is data. */
function placeInPage(bytes: Buffer, random: Random): { readonly kind: number; readonly at: number } {
  const starts = Array.from({ length: Math.floor(bytes.length / pageBytes) }, (_, page) => page * pageBytes);
  const byKind = Map.groupBy(starts, (start) => bytes.readUInt16LE(start + kindAt));
  const kinds = [...byKind.keys()];
  const kind = kinds[Math.floor(random.next() * kinds.length)]!;
  const pages = byKind.get(kind)!;
  const start = pages[Math.floor(random.next() * pages.length)]!;
  const node = start + headerBytes + bytes.readUInt16LE(start + headerBytes);
  const places = [
    start + Math.floor(random.next() * 64),
    Math.min(node + Math.floor(random.next() * 16), start + pageBytes - 1),
    start + placeIn(bytes.subarray(start, start + pageBytes), random),
  ];
  return { kind, at: places[Math.floor(random.next() * places.length)]! };
}

const kindAt = 18;
const headerBytes = 24;

/** Most rounds flip a bit: there are more bits than files. */
const flips = 0.5;

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
