/** Building blocks of the protobuf form of OpenAPI documents (the "gnostic" messages that kubectl reads). */

import { MessageWriter } from '@coxswain/protobuf/message-writer.ts';

const utf8 = new TextEncoder();
const heads = new MessageWriter();

/** Bytes in pieces; a document is concatenated once, at the end. */
export interface Piece {
  readonly chunks: readonly Uint8Array[];
  readonly length: number;
}

type Value = Piece | string | boolean | undefined;

/** A message of numbered values; absent, empty and false ones are omitted, as in proto3. */
export function message(...fields: readonly (readonly [number: number, value: Value])[]): Piece {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const push = (chunk: Uint8Array): void => {
    chunks.push(chunk);
    length += chunk.length;
  };
  for (const [number, value] of fields) {
    if (value === undefined || value === '' || value === false) continue;
    if (value === true) {
      push(headOf(number, 0, 1));
    } else if (typeof value === 'string') {
      const bytes = utf8.encode(value);
      push(headOf(number, 2, bytes.length));
      push(bytes);
    } else {
      push(headOf(number, 2, value.length));
      for (const chunk of value.chunks) chunks.push(chunk);
      length += value.length;
    }
  }
  return { chunks, length };
}

/** One field for every value of a list. */
export const repeated = (
  number: number,
  values: Iterable<Piece | string> | undefined,
): readonly [number, Value][] => (values === undefined ? [] : [...values].map((value) => [number, value]));

/** Name and value, the encoding of maps in these messages. */
export const named = (name: string, value: Piece | string): Piece => message([1, name], [2, value]);

/** Free-form values are YAML, of which JSON is a subset. */
export const anyOf = (value: unknown): Piece => message([2, `${JSON.stringify(value)}\n`]);

/** The `x-…` members. */
export const extensionsOf = (number: number, object: object): readonly [number, Value][] =>
  Object.entries(object)
    .filter(([name]) => name.startsWith('x-'))
    .map(([name, value]) => [number, named(name, anyOf(value))]);

export const membersOf = <T>(object: unknown): readonly (readonly [string, T])[] =>
  Object.entries((object ?? {}) as Record<string, T>);

export const pieceOf = (bytes: Uint8Array): Piece => ({ chunks: [bytes], length: bytes.length });

/** Concatenates pieces: a message is the concatenation of its fields. */
export function inOrder(pieces: readonly Piece[]): Piece {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return { chunks: pieces.flatMap(({ chunks }) => chunks), length };
}

export function joined({ chunks, length }: Piece): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** A field's tag, and its value or its length. */
function headOf(number: number, wireType: 0 | 2, value: number): Uint8Array {
  heads.varint(value);
  heads.tag(number, wireType);
  return heads.finish();
}
