/** The feature gates of a version: stage, default, and whether the default can be changed. */
import { featureHistory } from './feature-history.ts';

export interface Feature {
  readonly stage: 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';
  readonly isOnByDefault: boolean;
  /** The default cannot be changed. */
  readonly isLocked: boolean;
}

/** Undefined if the gate was introduced later. */
type Gates = ReadonlyMap<string, Feature | undefined>;

const gatesOf = new Map<number, Gates>();

/** Every gate as of a minor version. */
export function gatesAt(minor: number): Gates {
  const known = gatesOf.get(minor) ?? readHistory(minor);
  gatesOf.set(minor, known);
  return known;
}

/** The names of the gates in a minor version. */
export const knownFeatures = (minor: number): ReadonlyMap<string, Feature> =>
  new Map([...gatesAt(minor)].flatMap(([name, feature]) => (feature ? [[name, feature] as const] : [])));

const readHistory = (minor: number): Gates =>
  new Map(
    featureHistory
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', ...states] = line.trim().split(' ');
        return [name, stateAt(states, minor)];
      }),
  );

function stateAt(states: readonly string[], minor: number): Feature | undefined {
  const state = states.findLast((text) => sinceOf(text) <= minor);
  if (state === undefined) return undefined;
  const [, stage, sign, lock] = /([a-z]+)([+-])(!?)$/.exec(state)!;
  return {
    stage: stage!.toUpperCase() as Feature['stage'],
    isOnByDefault: sign === '+',
    isLocked: lock === '!',
  };
}

const sinceOf = (state: string): number => Number(/^(\d+):/.exec(state)?.[1] ?? 0);
