/** Groups the effects of an undertaking: many similar ones that led to nothing further share one line. */

import type { Undertaking } from '../recording.ts';
import { counted } from './counts.ts';
import { hasFailed, isEvent, reasonOf, wasIdle } from './deeds.ts';

export interface Gathered {
  /** One undertaking, or several that share a line. */
  readonly undertakings: readonly Undertaking[];
  /** The summary of several undertakings. */
  readonly text?: string;
}

/** Smaller groups have a line for each undertaking. */
const alikeMin = 3;

/**
 * In the order in which the first of each group began. @param standsAlone whether an undertaking needs more than a line
 */
export function gathered(
  effects: readonly Undertaking[],
  standsAlone: (effect: Undertaking) => boolean,
): readonly Gathered[] {
  const groups = Map.groupBy(effects, (effect) => (standsAlone(effect) ? effect.id : sortOf(effect)));
  return [...groups.values()].flatMap((group): readonly Gathered[] => {
    const [first] = group;
    const isFew = group.length < (wasIdle(first!) || isEvent(first!) ? 2 : alikeMin);
    return isFew
      ? group.map((one) => ({ undertakings: [one] }))
      : [{ undertakings: group, text: textOf(group) }];
  });
}

function sortOf(effect: Undertaking): string {
  const { id, kind, name } = effect;
  if (hasFailed(effect)) return id;
  if (wasIdle(effect)) return 'idle';
  if (isEvent(effect)) return 'events';
  return kind === 'request' && /^(?:GET|DELETE) /.test(name) ? name.slice(0, name.indexOf(' ')) : id;
}

function textOf(group: readonly Undertaking[]): string {
  const [first] = group;
  if (isEvent(first!)) return `${counted(group.length, 'event')}  ${distinct(group.map(reasonOf))}`;
  if (wasIdle(first!)) {
    const looked = distinct(group.map(({ component }) => component));
    return `${counted(group.length, 'look')} that changed nothing  ${looked}`;
  }
  const [method = '', path = ''] = first!.name.split(' ');
  return `${group.length} ${method}  ${path} and others`;
}

/** `Pulled, Started ×2` */
const distinct = (words: readonly string[]): string =>
  [...Map.groupBy(words, (word) => word)]
    .map(([word, { length }]) => (length === 1 ? word : `${word} ×${length}`))
    .join(', ');
