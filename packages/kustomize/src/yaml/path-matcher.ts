/** Finds all nodes at a path with patterns: `*` is every item, the value in `[key=value]` is a pattern. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { compilePattern } from '../pattern.ts';
import { emptyNode, scalar, type NodeKind, type YamlNode } from './node.ts';
import { getField, itemsOf, memberOf, requireKind, setField } from './fields.ts';
import { isIndex, isListIndex, kindBefore, splitListIndex } from './path.ts';
import { parseYaml } from './parse.ts';
import { printYaml } from './print.ts';

/**
 * The nodes at the path; undefined if there are none.
 * @param create the kind of node to create if the end of the path is missing; creates nothing if undefined
 * @throws InvalidNodeKind if the path leads through something else
 */
export function matchPath(
  node: YamlNode,
  path: readonly string[],
  create: NodeKind | undefined,
): readonly YamlNode[] | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return [node];
  if (isIndex(part)) return matchIndex(node, part, rest, create);
  if (isListIndex(part)) return matchItems(node, part, rest, create);
  if (part === '*') return joined(itemsOf(node), (item) => matchPath(item, rest, create));
  return matchField(node, part, rest, create);
}

function joined(
  items: readonly YamlNode[],
  match: (item: YamlNode) => readonly YamlNode[] | undefined,
): readonly YamlNode[] | undefined {
  const found = items.map(match).filter((one) => one !== undefined);
  return found.length === 0 ? undefined : found.flat();
}

function matchField(
  node: YamlNode,
  part: string,
  rest: readonly string[],
  create: NodeKind | undefined,
): readonly YamlNode[] | undefined {
  let field = getField(node, part);
  if (field === undefined) {
    if (create === undefined) return undefined;
    field = emptyNode(kindBefore(rest[0] ?? '', create));
    setField(node, part, field);
  }
  if (field.kind !== 'scalar' || rest.length === 0) return matchPath(field, rest, create);
  // Text that is YAML itself; changes to what is found in it do not affect the text.
  const inner = parseYaml(field.value);
  return inner === undefined ? undefined : matchPath(inner, rest, create);
}

function matchIndex(
  node: YamlNode,
  part: string,
  rest: readonly string[],
  create: NodeKind | undefined,
): readonly YamlNode[] | undefined {
  const index = Number(part);
  const items = itemsOf(node);
  if (items.length === index && create !== undefined) {
    node.content.push(emptyNode(kindBefore(rest[0] ?? '', create)));
  }
  const item = node.content[index];
  if (item === undefined) throw new Error(`index ${index} specified but only ${items.length} elements found`);
  return matchPath(item, rest, create);
}

function matchItems(
  node: YamlNode,
  part: string,
  rest: readonly string[],
  create: NodeKind | undefined,
): readonly YamlNode[] | undefined {
  const [key, pattern] = splitListIndex(part);
  const matches = (item: YamlNode): readonly YamlNode[] | undefined => {
    const tested = key === '' ? item : memberOf(item, key);
    if (tested === undefined || !compilePattern(pattern).test(printYaml(tested).trim())) return undefined;
    return key === '' ? [item] : matchPath(item, rest, create);
  };
  const found = joined(itemsOf(node), matches);
  if (found !== undefined && found.length > 0) return found;
  if (create === undefined) return undefined;
  try {
    requireKind(node, 'sequence');
  } catch (failure) {
    throw new Error(`failed to create element for ${goQuote(part)}: ${messageOf(failure)}`, {
      cause: failure,
    });
  }
  const made =
    key === '' ? scalar(pattern) : { ...emptyNode('mapping'), content: [scalar(key), scalar(pattern)] };
  node.content.push(made);
  return matches(made);
}
