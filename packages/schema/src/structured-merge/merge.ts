/**
 * Merges a configuration into the live object. Nothing is removed; lists are in the configuration's order where it
 * states one. Parts that the configuration doesn't touch are shared with the live object.
 */

import { granularityOf, isDeduced, isHollow, isObject, memberTypeOf, type MergeType } from './granularity.ts';
import { identifierOf } from './list-element.ts';
import { setMember } from '../json/tree.ts';
import type { ListType, StructType } from '../type.ts';

/** @throws Error when an element of a live list cannot be identified */
export const mergeInto = (type: StructType, live: unknown, config: unknown): unknown =>
  merged(type, live, config);

/** `undefined` stands for an absent value on either side. */
function merged(type: MergeType, live: unknown, config: unknown): unknown {
  if (config === undefined) return live;
  // Without a schema, null counts as an empty map if the live value is a map.
  if (config === null && isDeduced(type) && isObject(live) && !isHollow(live)) return live;
  const granularity = granularityOf(type, config);
  if (granularity.kind === 'leaf' || (isHollow(live) && isHollow(config))) return config;
  switch (granularity.kind) {
    case 'struct':
      return mergedObjects(live, config, (name) => memberTypeOf(granularity.struct, name));
    case 'map':
      return mergedObjects(live, config, () => granularity.value);
    case 'list':
      return mergedLists(granularity.list, asList(live), asList(config));
  }
}

function mergedObjects(
  live: unknown,
  config: unknown,
  typeOf: (name: string) => MergeType | undefined,
): unknown {
  const result: Record<string, unknown> = {};
  if (isObject(live)) for (const name in live) setMember(result, name, live[name]);
  if (!isObject(config)) return result;
  for (const name in config) {
    const type = typeOf(name);
    if (type === undefined) continue;
    const own = Object.hasOwn(result, name) ? result[name] : undefined;
    setMember(result, name, merged(type, own, config[name]));
  }
  return result;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An element's value on one side; `ambiguous` when a live list has it more than once. */
const ambiguous = Symbol('ambiguous');

/**
 * Walks both lists together. Elements that only the live list has keep their places between their neighbors; shared
 * ones are in the configuration's order.
 */
function mergedLists(list: ListType, live: readonly unknown[], config: readonly unknown[]): unknown[] {
  const identify = identifierOf(list);
  const liveElements = live.map(identify);
  const configElements = config.map(identify);
  const liveByElement = new Map<string, unknown>();
  liveElements.forEach((element, index) =>
    liveByElement.set(element, liveByElement.has(element) ? ambiguous : live[index]),
  );
  const configByElement = new Map(configElements.map((element, index) => [element, config[index]]));
  const shared = configElements.filter((element) => liveByElement.has(element));
  const taken = new Set<string>();
  const result: unknown[] = [];

  const takeConfig = (element: string): void => {
    taken.add(element);
    const own = liveByElement.get(element);
    result.push(merged(list.element, own === ambiguous ? undefined : own, configByElement.get(element)));
    if (shared[0] === element) shared.shift();
  };

  let [l, c] = [0, 0];
  while (l < live.length || c < config.length) {
    const element = liveElements[l];
    if (element !== undefined && element === configElements[c]) {
      takeConfig(element);
      l++;
      c++;
      continue;
    }
    if (element !== undefined && c < config.length && configByElement.has(element)) {
      // A shared element, but not the next one in order.
      if (shared.length > 0 && shared[0] !== element) {
        l++;
        continue;
      }
    }
    if (element !== undefined) {
      if (!configByElement.has(element)) {
        result.push(live[l++]);
        continue;
      }
      if (taken.has(element)) l++;
    }
    if (c < config.length) takeConfig(configElements[c++]!);
  }
  return result;
}
