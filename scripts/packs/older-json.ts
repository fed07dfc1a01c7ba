/**
 * For `older-node.ts`: what Node 20 lacks of `JSON`. Numbers that keep their digits go through its `stringify` and `parse`
 * as strings with a mark, which nobody can guess.
 */

import { randomUUID } from 'node:crypto';

type Replace = Parameters<typeof JSON.stringify>[1];
type Revive = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Under another name, since what is called of `JSON` is replaced by what is here. */
const known = { JSON } as unknown as {
  readonly JSON: Pick<typeof JSON, 'parse' | 'stringify'> & {
    rawJSON?(text: string): object;
    isRawJSON?(value: unknown): boolean;
  };
};

const mark = `\0${randomUUID()}:`;
const markedString = new RegExp(`"\\\\u0000${mark.slice(1)}(?:[^"\\\\]|\\\\.)*"`, 'g');
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

class RawJson {
  readonly rawJSON: string;

  constructor(text: string) {
    this.rawJSON = text;
  }

  toJSON(): string {
    return mark + this.rawJSON;
  }
}

function stringifyRaw(value: unknown, replace?: Replace, space?: string | number): string | undefined {
  // A replacer may answer with one, and is then not asked for its toJSON.
  const marking = typeof replace === 'function' ? withMarks(replace as Revive) : replace;
  const text = known.JSON.stringify(value, marking as Replace, space) as string | undefined;
  return text?.replace(markedString, (found) => (known.JSON.parse(found) as string).slice(mark.length));
}

const withMarks = (replace: Revive) =>
  function (this: unknown, key: string, value: unknown): unknown {
    const replaced = replace.call(this, key, value, {});
    return replaced instanceof RawJson ? replaced.toJSON() : replaced;
  };

/** Tells how a number was written, as newer ones do. */
function parseWithSource(text: string, revive?: Revive): unknown {
  if (revive === undefined) return known.JSON.parse(text);
  // First as it is: what is no JSON is told in the usual words.
  known.JSON.parse(text);
  const marked = String(text).replace(stringOrNumber, (found) =>
    found.startsWith('"') ? found : known.JSON.stringify(mark + found),
  );
  return known.JSON.parse(marked, function (this: unknown, key: string, value: unknown) {
    if (typeof value !== 'string' || !value.startsWith(mark)) return revive.call(this, key, value, {});
    const source = value.slice(mark.length);
    return revive.call(this, key, Number(source), { source });
  });
}

const isNew = known.JSON.rawJSON !== undefined;

export const parse = isNew ? known.JSON.parse : parseWithSource;
export const stringify = isNew ? known.JSON.stringify : stringifyRaw;
export const rawJson = known.JSON.rawJSON ?? ((text: string) => new RawJson(text));
export const isRawJson = known.JSON.isRawJSON ?? ((value: unknown) => value instanceof RawJson);
