/** Finds the line of a document that the server's field path refers to. */
import { yamlPlaces, type YamlPlace } from '@coxswain/apimachinery/yaml/places.ts';
import type { Manifest } from './manifest.ts';

type Step = string | number;

/** Returns the line, from 1, of a field such as `spec.containers[0].image`, or of its nearest existing ancestor. */
export function fieldLine({ text, line, path }: Manifest, field: string): number {
  const root = placesOf(text);
  if (root === undefined) return line;
  const object = walk(root, path);
  return line - 1 + walk(object, stepsOf(field)).line;
}

/** A cache for consecutive problems of one document. */
let latest: { readonly text: string; readonly root: YamlPlace | undefined } | undefined;

function placesOf(text: string): YamlPlace | undefined {
  if (latest?.text !== text) {
    try {
      latest = { text, root: yamlPlaces(text) };
    } catch {
      // Unparsable text has already been reported with its own line.
      latest = { text, root: undefined };
    }
  }
  return latest.root;
}

/** `metadata.annotations[a.b/c].x[0]` → metadata, annotations, a.b/c, x, 0 */
export const stepsOf = (field: string): readonly Step[] =>
  [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, key, name = '']) =>
    key === undefined ? name : /^\d+$/.test(key) ? Number(key) : key.replace(/^"(.*)"$/, '$1'),
  );

function walk(from: YamlPlace, steps: readonly Step[]): YamlPlace {
  let place = from;
  for (let index = 0; index < steps.length; index++) {
    const found = memberAt(place, steps, index);
    if (found === undefined) break;
    place = found.place;
    index = found.last;
  }
  return place;
}

interface Found {
  readonly place: YamlPlace;
  /** The last of the steps that led there. */
  readonly last: number;
}

function memberAt(place: YamlPlace, steps: readonly Step[], index: number): Found | undefined {
  const step = steps[index]!;
  const direct = typeof step === 'number' ? place.items[step] : place.members.get(step);
  if (direct !== undefined) return { place: direct, last: index };
  if (typeof step === 'number') return keyed(place, String(step), index);
  // Keys that contain dots appear unquoted in some paths.
  for (let last = index + 1; last < steps.length; last++) {
    const joined = place.members.get(steps.slice(index, last + 1).join('.'));
    if (joined !== undefined) return { place: joined, last };
  }
  // Decoding errors omit list indexes.
  const inItem = place.items.find((item) => item.members.has(step))?.members.get(step);
  return inItem === undefined ? undefined : { place: inItem, last: index };
}

function keyed(place: YamlPlace, key: string, index: number): Found | undefined {
  const member = place.members.get(key);
  return member === undefined ? undefined : { place: member, last: index };
}
