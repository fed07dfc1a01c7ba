/** Every combination of the parameters that say how fresh a list is, how it is cut, and where a watch begins. */

/** What stands for a revision or a token differs from server to server: questions name it. */
export type Named = '' | `$${string}` | (string & {});

export interface ListQuestion {
  readonly watch: boolean;
  /** Query parameters in order; values that begin with `$` are names of the server's own. */
  readonly query: readonly (readonly [name: string, value: Named])[];
}

/** `undefined`: the parameter is left out. */
type Values = readonly (Named | undefined)[];

const revisions: Values = [
  undefined,
  '',
  '0',
  '$compacted',
  '$first',
  '$newest',
  '$future',
  'abc',
  '-1',
  '$padded',
];
const matches: Values = [undefined, 'Exact', 'NotOlderThan', 'exact'];

const listParameters: Readonly<Record<string, Values>> = {
  resourceVersion: revisions,
  resourceVersionMatch: matches,
  limit: [undefined, '0', '2', '500', '-3', 'x'],
  continue: [undefined, '', '$page', '$inconsistent', '$compactedPage', '$futurePage', '!', '$foreignPage'],
  sendInitialEvents: [undefined, 'true', 'false'],
  selector: [undefined, 'label', 'name', 'name-and-label', 'absent-name'],
};

const watchParameters: Readonly<Record<string, Values>> = {
  resourceVersion: revisions,
  resourceVersionMatch: matches,
  sendInitialEvents: [undefined, 'true', 'false'],
  allowWatchBookmarks: [undefined, 'true', 'false'],
  limit: [undefined, '2'],
  continue: [undefined, '$page', '!'],
  selector: [undefined, 'label', 'name'],
};

const selectors: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  label: [['labelSelector', 'half=yes']],
  name: [['fieldSelector', 'metadata.name=b']],
  'name-and-label': [
    ['fieldSelector', 'metadata.name=b'],
    ['labelSelector', 'half=yes'],
  ],
  'absent-name': [['fieldSelector', 'metadata.name=zz']],
};

/** @param most questions of each sort, evenly out of all */
export function questionsOf(sort: 'list' | 'watch', most: number): readonly ListQuestion[] {
  const all = combinations(Object.entries(sort === 'list' ? listParameters : watchParameters));
  const stride = Math.max(1, all.length / most);
  const chosen = Array.from({ length: Math.min(all.length, most) }, (_, i) => all[Math.floor(i * stride)]!);
  return chosen.map((query) => ({
    watch: sort === 'watch',
    query: query.flatMap((pair) => (pair[0] === 'selector' ? selectors[pair[1]]! : [pair])),
  }));
}

function combinations(
  parameters: readonly (readonly [string, Values])[],
): readonly (readonly [string, Named])[][] {
  let all: (readonly [string, Named])[][] = [[]];
  for (const [name, values] of parameters) {
    all = all.flatMap((some) =>
      values.map((value) => (value === undefined ? some : [...some, [name, value] as const])),
    );
  }
  return all;
}
