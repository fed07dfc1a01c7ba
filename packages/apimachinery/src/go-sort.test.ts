import { describe, expect, test } from 'vitest';
import { goSort } from './go-sort.ts';

interface Item {
  readonly key: number;
  readonly index: number;
}

const shapes: Readonly<
  Record<string, (index: number, length: number, keys: number, mixed: number) => number>
> = {
  mixed: (_index, _length, _keys, mixed) => mixed,
  rising: (index, length, keys) => Math.floor((index * keys) / length),
  falling: (index, length, keys) => Math.floor(((length - index) * keys) / length),
  saw: (index, _length, keys) => index % keys,
};

function itemsOf(length: number, keys: number, shape: string): Item[] {
  let state = length * 31 + keys;
  return Array.from({ length }, (_, index) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return { key: shapes[shape]!(index, length, keys, (state >>> 8) % keys), index };
  });
}

/** FNV-1a of the places from which the items come. */
const hashOf = (items: readonly Item[]): number =>
  items.reduce((hash, { index }) => Math.imul(hash ^ index, 16_777_619) >>> 0, 2_166_136_261);

/** What Go 1.26's `sort.Sort` makes of the same items: length, number of keys, shape, hash. */
const recorded: readonly (readonly [number, number, string, number])[] = [
  [12, 1, 'falling', 1495105761],
  [12, 1, 'mixed', 1246796121],
  [12, 1, 'rising', 1246796121],
  [12, 1, 'saw', 1246796121],
  [12, 100, 'falling', 3142626969],
  [12, 100, 'mixed', 489187087],
  [12, 100, 'rising', 1246796121],
  [12, 100, 'saw', 1246796121],
  [12, 3, 'falling', 2614689833],
  [12, 3, 'mixed', 2603791169],
  [12, 3, 'rising', 1246796121],
  [12, 3, 'saw', 1670895425],
  [13, 1, 'falling', 3012608753],
  [13, 1, 'mixed', 1373724879],
  [13, 1, 'rising', 1373724879],
  [13, 1, 'saw', 1373724879],
  [13, 100, 'falling', 1938077823],
  [13, 100, 'mixed', 1239716467],
  [13, 100, 'rising', 1373724879],
  [13, 100, 'saw', 1373724879],
  [13, 3, 'falling', 1936058645],
  [13, 3, 'mixed', 4156044019],
  [13, 3, 'rising', 1373724879],
  [13, 3, 'saw', 1535984571],
  [20, 1, 'falling', 1906633617],
  [20, 1, 'mixed', 2017146113],
  [20, 1, 'rising', 2017146113],
  [20, 1, 'saw', 2017146113],
  [20, 100, 'falling', 3231257305],
  [20, 100, 'mixed', 2878022893],
  [20, 100, 'rising', 2017146113],
  [20, 100, 'saw', 2017146113],
  [20, 3, 'falling', 2032651119],
  [20, 3, 'mixed', 409593935],
  [20, 3, 'rising', 2017146113],
  [20, 3, 'saw', 1121234117],
  [257, 1, 'falling', 3243886111],
  [257, 1, 'mixed', 2008633631],
  [257, 1, 'rising', 2008633631],
  [257, 1, 'saw', 2008633631],
  [257, 100, 'falling', 2167671929],
  [257, 100, 'mixed', 187759289],
  [257, 100, 'rising', 2008633631],
  [257, 100, 'saw', 3665685143],
  [257, 3, 'falling', 2695290605],
  [257, 3, 'mixed', 527756461],
  [257, 3, 'rising', 2008633631],
  [257, 3, 'saw', 2049383207],
  [51, 1, 'falling', 3467075406],
  [51, 1, 'mixed', 24962248],
  [51, 1, 'rising', 24962248],
  [51, 1, 'saw', 24962248],
  [51, 100, 'falling', 767324276],
  [51, 100, 'mixed', 2266970048],
  [51, 100, 'rising', 24962248],
  [51, 100, 'saw', 24962248],
  [51, 3, 'falling', 3038669234],
  [51, 3, 'mixed', 3034833034],
  [51, 3, 'rising', 24962248],
  [51, 3, 'saw', 3063026140],
];

describe('equal items are in the order in which Go leaves them', () => {
  test.each(recorded)('%i items with %i keys, %s', (length, keys, shape, hash) => {
    const sorted = goSort(itemsOf(length, keys, shape), (a, b) => a.key < b.key);
    expect(sorted.map(({ key }) => key)).toEqual(sorted.map(({ key }) => key).toSorted((a, b) => a - b));
    expect(hashOf(sorted)).toBe(hash);
  });
});
