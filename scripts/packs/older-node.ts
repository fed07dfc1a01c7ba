/**
 * What Node 20 to 25 lack of the standard functions that the sources call: bundles call these in their place (and those of
 * `older-json.ts`), so that
 * published packages run there and change nothing of anybody's globals. Methods of instances can't be had that way, and
 * the sources do without the newest; `scripts/older-node.tsconfig.json` holds them to that.
 */

import { setMaxListeners } from 'node:events';

/** Under another name, since these are replaced wherever they are called. */
const own = globalThis;

export const withResolvers: typeof Promise.withResolvers =
  own.Promise.withResolvers?.bind(Promise) ??
  function <T>(): PromiseWithResolvers<T> {
    let settle: Omit<PromiseWithResolvers<T>, 'promise'>;
    const promise = new Promise<T>((resolve, reject) => {
      settle = { resolve, reject };
    });
    return { promise, ...settle! };
  };

export const attempt: typeof Promise.try =
  own.Promise.try?.bind(Promise) ?? (async (work, ...args) => work(...args));

export const groupBy: typeof Map.groupBy =
  own.Map.groupBy?.bind(Map) ??
  function <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
    const groups = new Map<K, T[]>();
    let index = 0;
    for (const item of items) {
      const key = keyOf(item, index++);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
    return groups;
  };

/** Of one argument, as everything here calls it. */
export const fromAsync: typeof Array.fromAsync =
  own.Array.fromAsync?.bind(Array) ??
  (async (items: AsyncIterable<unknown>) => {
    const all: unknown[] = [];
    for await (const item of items) all.push(item);
    return all;
  });

/** White space and absent padding are let pass, as the standard has it. */
export const fromBase64: typeof Uint8Array.fromBase64 =
  own.Uint8Array.fromBase64?.bind(Uint8Array) ??
  ((text, { alphabet = 'base64' } = {}) => {
    const isForeign = alphabet === 'base64' ? /[-_]/ : /[+/]/;
    if (isForeign.test(text))
      throw new SyntaxError('Found a character that cannot be part of a valid base64 string.');
    const standard = alphabet === 'base64' ? text : text.replaceAll('-', '+').replaceAll('_', '/');
    return Uint8Array.from(binaryOf(standard), (character) => character.charCodeAt(0));
  });

function binaryOf(text: string): string {
  try {
    return atob(text);
  } catch {
    throw new SyntaxError(
      'The base64 input terminates with a single character, or has one that is not of base64.',
    );
  }
}

/** Node 20 considers more than ten listeners a leak and warns of them. */
const warnsOfListeners = Number.parseInt(process.versions.node, 10) < 22;

function withAnyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

class QuietAbortController extends own.AbortController {
  constructor() {
    super();
    setMaxListeners(0, this.signal);
  }
}

export const abortController: typeof AbortController = warnsOfListeners
  ? QuietAbortController
  : own.AbortController;

export const abortAny: typeof AbortSignal.any = (signals) =>
  warnsOfListeners ? withAnyListeners(own.AbortSignal.any(signals)) : own.AbortSignal.any(signals);
