/** Finds a node by the names on its path; a component may be an index, `-` for the last item, or `[key=value]`. */
import { parseGoInteger } from '@coxswain/apimachinery/go-integer.ts';
import { emptyNode, isMissingOrNull, scalar, type NodeKind, type YamlNode } from './node.ts';
import { findItem, getField, itemsOf, setField } from './fields.ts';

/** `a.b\.c` → `a`, `b.c`; a leading delimiter is ignored. */
export function splitPath(path: string, delimiter: string): string[] {
  const pieces = path.split(delimiter);
  if (pieces.length > 1 && pieces[0] === '') pieces.shift();
  const parts = [pieces[0] ?? ''];
  for (const piece of pieces.slice(1)) {
    const last = parts.at(-1) as string;
    if (last.endsWith('\\')) parts[parts.length - 1] = `${last.slice(0, -1)}${delimiter}${piece}`;
    else parts.push(piece);
  }
  return parts;
}

/** As {@link splitPath} with dots, except that dots within brackets do not separate. */
export function splitFieldPath(path: string): string[] {
  const split = splitPath(path, '.');
  const parts: string[] = [];
  for (let index = 0; index < split.length; index++) {
    const piece = split[index] as string;
    if (!piece.startsWith('[') || piece.endsWith(']')) {
      parts.push(piece);
      continue;
    }
    const bracketed = [piece];
    while (index < split.length - 1) {
      bracketed.push(split[++index] as string);
      if (split[index]!.endsWith(']')) break;
    }
    const joined = bracketed.join('.');
    parts.push(joined.includes('=') ? joined : joined.replace(/^[[\]]+|[[\]]+$/g, ''));
  }
  return parts;
}

/** @throws InvalidNodeKind if the path leads through something else */
export const lookup = (node: YamlNode, path: readonly string[]): YamlNode | undefined =>
  walk(node, path, undefined);

/** Creates missing nodes on the path; the last one is created as `kind`. */
export const lookupCreate = (node: YamlNode, path: readonly string[], kind: NodeKind): YamlNode | undefined =>
  walk(node, path, kind);

function walk(node: YamlNode, path: readonly string[], create: NodeKind | undefined): YamlNode | undefined {
  const parts = path.map((part) => part.trim()).filter((part) => part !== '');
  let found: YamlNode | undefined = node;
  for (const [index, part] of parts.entries()) {
    found = step(found, part, parts[index + 1] ?? '', create);
    if (found === undefined) return undefined;
  }
  return found;
}

function step(
  node: YamlNode,
  part: string,
  next: string,
  create: NodeKind | undefined,
): YamlNode | undefined {
  if (/^[+-]?\d+$/.test(part)) {
    const index = parseGoInteger(part);
    if (index < 0) throw new Error(`array index ${index} cannot be negative`);
    return itemsOf(node)[index];
  }
  if (part === '-') return itemsOf(node).at(-1);
  if (part === '*') throw new Error('wildcard is not supported in PathGetter');
  if (isListIndex(part)) return itemStep(node, part, create);
  const found = getField(node, part);
  if (found !== undefined || create === undefined || isMissingOrNull(node)) return found;
  return setField(node, part, emptyNode(kindBefore(next, create)));
}

function itemStep(node: YamlNode, part: string, create: NodeKind | undefined): YamlNode | undefined {
  const [key, value] = splitListIndex(part);
  const found = findItem(node, [key], [value]);
  if (found !== undefined || create === undefined) return found;
  const made = itemWith(key, value);
  node.content.push(made);
  return made;
}

const itemWith = (key: string, value: string): YamlNode =>
  key === '' ? scalar(value) : { ...emptyNode('mapping'), content: [scalar(key), scalar(value)] };

/** The kind that a missing node must have for the next component. */
export const kindBefore = (next: string, last: NodeKind): NodeKind =>
  isListIndex(next) || isIndex(next) ? 'sequence' : next === '' ? last : 'mapping';

export const isListIndex = (part: string): boolean => part.startsWith('[') && part.endsWith(']');
export const isIndex = (part: string): boolean => /^\+?\d+$/.test(part) || /^-0+$/.test(part);

export function splitListIndex(part: string): [key: string, value: string] {
  const inner = part.replace(/\]$/, '').replace(/^\[/, '');
  const equals = inner.indexOf('=');
  if (equals < 0) {
    throw new Error('list path element must contain fieldName=fieldValue for element to match');
  }
  return [inner.slice(0, equals), inner.slice(equals + 1)];
}
