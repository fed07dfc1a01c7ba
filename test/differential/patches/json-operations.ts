/** Operations of a JSON patch at places that the object has, or nearly has. */
import type { Random } from '@coxswain/apimachinery';
import { chance, isObject, pick, type JsonObject } from './fragment.ts';

/** @param donor values come from the same places of this object, too */
export function jsonOperations(live: JsonObject, donor: JsonObject, random: Random): JsonObject[] {
  const places = placesOf(live).filter((place) => !place.startsWith('/metadata/managedFields'));
  const donated = placesOf(donor).filter((place) => place.startsWith('/spec') || place.startsWith('/data'));
  return Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => {
    const place = pick(random, chance(random, 0.3) && donated.length > 0 ? donated : places);
    const from = pick(random, places);
    const value = valueAt(chance(random, 0.5) ? donor : live, place) ?? pick(random, ['text', 5, null, {}]);
    switch (
      pick(random, ['add', 'add', 'replace', 'replace', 'remove', 'test', 'copy', 'move', 'append', 'label'])
    ) {
      case 'add':
        return { op: 'add', path: place, value };
      case 'replace':
        return { op: 'replace', path: place, value };
      case 'remove':
        return { op: 'remove', path: place };
      case 'test':
        return { op: 'test', path: place, value: valueAt(live, place) };
      case 'copy':
        return { op: 'copy', from, path: siblingOf(from) };
      case 'move':
        return { op: 'move', from, path: siblingOf(from) };
      case 'append':
        return { op: 'add', path: place.replace(/\/\d+$/, '/-'), value };
      default:
        return {
          op: 'add',
          path: `/metadata/labels/l${Math.floor(random.next() * 3)}`,
          value: pick(random, ['1', '2']),
        };
    }
  });
}

const siblingOf = (place: string): string => place.replace(/\/(\d+)$/, '/-');

function placesOf(value: unknown, place = ''): string[] {
  const below = Array.isArray(value)
    ? value.flatMap((item, index) => placesOf(item, `${place}/${index}`))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => placesOf(member, `${place}/${escaped(name)}`))
      : [];
  return place === '' ? below : [place, ...below];
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function valueAt(value: unknown, place: string): unknown {
  let at = value;
  for (const part of place.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(name)] : isObject(at) ? at[name] : undefined;
  }
  return at;
}
