/** Nodes in Go's %#v format of their decoded values. */
import { goFloat, goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { YamlNode } from './node.ts';
import { isStringKey, toJson } from './json.ts';
import { impliedTag } from './resolve.ts';

export function goSyntax(node: YamlNode, isRoot = true): string {
  if (node.kind === 'alias')
    return node.alias === undefined ? scalarSyntax(null) : goSyntax(node.alias, false);
  if (node.kind === 'sequence') {
    return `[]interface {}{${node.content.map((item) => goSyntax(item, false)).join(', ')}}`;
  }
  if (node.kind !== 'mapping') return scalarSyntax(toJson(node));
  const keys = node.content.filter((_, index) => index % 2 === 0);
  const type = isRoot || keys.every(isStringKey) ? 'map[string]' : 'map[interface {}]';
  const members = node.content
    .flatMap((key, index) => (index % 2 === 0 ? [{ key, value: node.content[index + 1] as YamlNode }] : []))
    .sort((a, b) => compareKeys(a.key, b.key));
  const shown = members.map(({ key, value }) => `${keySyntax(key)}:${goSyntax(value, false)}`);
  return `${type}interface {}{${shown.join(', ')}}`;
}

const keySyntax = (key: YamlNode): string =>
  isStringKey(key) ? goQuote(key.value) : scalarSyntax(toJson(key));

const tagOrder = ['!!int', '!!float', '!!bool'];

/** Strings come first, then integers, fractions, booleans. */
function compareKeys(a: YamlNode, b: YamlNode): number {
  const order = (key: YamlNode) =>
    isStringKey(key) ? -1 : tagOrder.indexOf(key.tag || impliedTag(key.value));
  if (order(a) !== order(b)) return order(a) - order(b);
  if (!isStringKey(a)) return Number(toJson(a)) - Number(toJson(b));
  return a.value < b.value ? -1 : 1;
}

function scalarSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  return typeof value === 'number' && !Number.isInteger(value) ? goFloat(value) : String(value);
}
