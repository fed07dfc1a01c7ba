/** Elements of sets and maps, from text to attributes. */
import { attribute, nested, number, text } from './attributes.ts';
import { operandBytes } from './operands.ts';

/** nf_tables.h */
const listElement = 1;
const element = { key: 1, data: 2, userdata: 6 } as const;
const data = { value: 1, verdict: 2 } as const;
const verdict = { code: 1, chain: 2 } as const;
const verdictCodes: Readonly<Record<string, number>> = { drop: 0, accept: 1, jump: -3, goto: -4 };

const form = /^(?<key>.+?)(?: comment "(?<comment>[^"]*)")?(?: : (?<value>.+))?$/;

/** `10.0.0.1 . tcp . 80 comment "a" : goto chain , …`; undefined if it contains syntax that only nft supports. */
export function elementAttributes(list: string): Uint8Array[] | undefined {
  const all: Uint8Array[] = [];
  for (const one of list.split(' , ')) {
    const attributes = oneElement(one);
    if (attributes === undefined) return undefined;
    all.push(nested(listElement, ...attributes));
  }
  return all;
}

function oneElement(words: string): Uint8Array[] | undefined {
  const { key = '', comment, value } = form.exec(words)?.groups ?? {};
  const bytes = operandBytes(key);
  if (bytes === undefined) return undefined;
  const attributes = [nested(element.key, attribute(data.value, bytes))];
  if (value !== undefined) {
    const mapped = verdictOf(value) ?? valueOf(value);
    if (mapped === undefined) return undefined;
    attributes.push(nested(element.data, mapped));
  }
  if (comment !== undefined) attributes.push(attribute(element.userdata, commentBytes(comment)));
  return attributes;
}

function valueOf(words: string): Uint8Array | undefined {
  const bytes = operandBytes(words);
  return bytes && attribute(data.value, bytes);
}

function verdictOf(words: string): Uint8Array | undefined {
  const [name = '', chain] = words.split(' ');
  const code = verdictCodes[name];
  if (code === undefined) return undefined;
  return nested(
    data.verdict,
    number(verdict.code, code),
    ...(chain === undefined ? [] : [text(verdict.chain, chain)]),
  );
}

/** nft's encoding of comments: type, length, text, zero. */
function commentBytes(comment: string): Uint8Array {
  const bytes = new TextEncoder().encode(`${comment}\0`);
  return Uint8Array.of(0, bytes.length, ...bytes);
}
