/** The feature gates of a version: how far each is, whether it is on, and whether that can be changed. */
import { featureHistory } from './feature-history.ts';

export interface Feature {
  readonly stage: 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';
  readonly isOnByDefault: boolean;
  /** Nobody may set it to the other value. */
  readonly isLocked: boolean;
}

/** Undefined: the gate came later. */
type Gates = ReadonlyMap<string, Feature | undefined>;

const gatesOf = new Map<number, Gates>();

/** Every gate as it is in a minor version. */
export function gatesAt(minor: number): Gates {
  const known = gatesOf.get(minor) ?? readHistory(minor);
  gatesOf.set(minor, known);
  return known;
}

/** The gates that there are in a minor version. */
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
