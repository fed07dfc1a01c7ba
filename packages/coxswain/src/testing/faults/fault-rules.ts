/** The faults of a test cluster: rules that are added and removed while it runs. */

import { checkWords, shown, wordsOf } from '../known-words.ts';
import { checkPattern, patternWords } from '../requests/check-pattern.ts';
import { durationMs } from '../virtual-clock.ts';
import type { FaultAction, Fault, RequestPattern } from '../../../types/testing.d.ts';

export type { FaultAction, Fault, ActiveFault, Faults } from '../../../types/testing.d.ts';

/** The verbs to which each action can apply. */
export const verbsOf: Readonly<Record<FaultAction, readonly string[] | 'all'>> = {
  error: 'all',
  latency: 'all',
  conflict: ['create', 'update', 'patch', 'delete', 'deletecollection'],
  lostAnswer: ['create', 'update', 'patch', 'delete', 'deletecollection'],
  dropWatch: ['watch'],
  staleRead: ['get', 'list'],
};

const words = [
  ...patternWords,
  ...wordsOf<Omit<Fault, keyof RequestPattern>>({
    action: true,
    probability: true,
    times: true,
    code: true,
    message: true,
    delay: true,
    lag: true,
    afterEvents: true,
  }),
];

/** Fields that apply only to certain actions. */
const ofAction: Readonly<Partial<Record<keyof Fault, readonly FaultAction[]>>> = {
  code: ['error'],
  message: ['error', 'conflict'],
  delay: ['latency'],
  lag: ['staleRead'],
  afterEvents: ['dropWatch'],
};

/** @throws TypeError with one line that describes what is wrong */
export function checkFault(fault: Fault): void {
  checkWords('a fault', fault, words);
  const { action, probability = 1, code = 500, times = 1, delay = 0, lag = 1, afterEvents = 0 } = fault;
  const actions = Object.keys(verbsOf);
  if (!actions.includes(action))
    throw new TypeError(`a fault's action must be one of ${actions.join(', ')}, not ${shown(action)}`);
  checkPattern('a fault', fault);
  if (!(typeof probability === 'number' && probability >= 0 && probability <= 1))
    throw new TypeError(`a fault's probability must be from 0 to 1, not ${shown(probability)}`);
  if (!Number.isInteger(code) || code < 400 || code > 599)
    throw new TypeError(`a fault's code must be from 400 to 599, not ${shown(code)}`);
  for (const [name, value, least] of [
    ['times', times, 1],
    ['lag', lag, 1],
    ['afterEvents', afterEvents, 0],
  ] as const)
    if (!Number.isInteger(value) || value < least)
      throw new TypeError(`a fault's ${name} must be at least ${least}, not ${shown(value)}`);
  if (!(durationMs(delay) >= 0)) throw new TypeError(`a fault's delay must not be negative: ${shown(delay)}`);
  checkSense(fault);
}

/** Refuses faults that could never occur, and fields without effect. */
function checkSense({ action, ...fault }: Fault): void {
  const verbs = verbsOf[action];
  const wanted = [fault.verb ?? '*'].flat();
  if (verbs !== 'all' && !wanted.some((verb) => verb === '*' || verbs.includes(verb)))
    throw new TypeError(`${action} applies to ${verbs.join(', ')}, not to ${wanted.join(', ')}`);
  for (const [name, meant] of Object.entries(ofAction))
    if (fault[name as keyof typeof fault] !== undefined && !meant.includes(action))
      throw new TypeError(`a fault's ${name} applies to ${meant.join(' and ')}, not to ${action}`);
}
