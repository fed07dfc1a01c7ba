/** Strategic merge of a patch into an object, with the ordering and the quirks of kyaml's merge2. */
import {
  emptyNode,
  isEmptyMap,
  isMissingOrNull,
  isNilOrEmpty,
  nullTag,
  scalar,
  valueOf,
  type YamlNode,
} from '../yaml/node.ts';
import {
  clearField,
  fieldNames,
  findItem,
  getField,
  memberOf,
  requireKind,
  setField,
  setItem,
} from '../yaml/fields.ts';
import { printYaml } from '../yaml/print.ts';
import {
  isMerged,
  placeOfField,
  placeOfItems,
  placeOfKind,
  type KnownKinds,
  type SchemaPlace,
} from './merge-schema.ts';

interface Merge {
  readonly schema: KnownKinds;
}

/** Merges into `target` in place and returns it; undefined if the patch deletes the object. */
export function mergeStrategically(
  target: YamlNode,
  patch: YamlNode,
  schema: KnownKinds,
): YamlNode | undefined {
  return mergeNodes({ schema }, target, patch, undefined).node;
}

/** The result of merging two nodes; `keepNull` preserves a null. */
interface Merged {
  readonly node: YamlNode | undefined;
  readonly keepNull?: boolean;
}

const nothing: Merged = { node: undefined };

function mergeNodes(
  merge: Merge,
  target: YamlNode | undefined,
  patch: YamlNode | undefined,
  known: SchemaPlace | undefined,
): Merged {
  const place = known ?? placeOfObject(merge, target) ?? placeOfObject(merge, patch);
  const kind = !isMissingOrNull(target) ? target!.kind : !isMissingOrNull(patch) ? patch!.kind : 'none';
  if (kind !== 'none') {
    requireKind(target, kind);
    requireKind(patch, kind);
  }
  switch (kind) {
    case 'scalar':
      return { node: patch ?? target };
    case 'sequence':
      return isMerged(place) ? mergeLists(merge, target, patch, place) : { node: patch ?? target };
    case 'alias':
      return nothing;
    default:
      return mergeMaps(merge, target, patch, place);
  }
}

function placeOfObject({ schema }: Merge, node: YamlNode | undefined): SchemaPlace | undefined {
  if (isMissingOrNull(node)) return undefined;
  const kind = valueOf(memberOf(node, 'kind'));
  const apiVersion = valueOf(memberOf(node, 'apiVersion'));
  return kind === '' || apiVersion === '' ? undefined : placeOfKind(schema, apiVersion, kind);
}

function mergeMaps(
  merge: Merge,
  target: YamlNode | undefined,
  patch: YamlNode | undefined,
  place: SchemaPlace | undefined,
): Merged {
  const chosen = chooseMap(target, patch);
  const merged = chosen.node;
  if (merged === undefined) return nothing;
  const names = new Set(
    [merged, patch].flatMap((node) => (node?.kind === 'mapping' ? fieldNames(node) : [])),
  );
  for (const name of [...names].sort()) {
    const value = mergeNodes(merge, memberOf(merged, name), memberOf(patch, name), placeOfField(place, name));
    setField(merged, name, value.node, {
      keepNull: value.keepNull ?? false,
      keyStyle: keyStyle(merged, name) ?? keyStyle(patch, name) ?? 'plain',
    });
  }
  return chosen;
}

const keyStyle = (node: YamlNode | undefined, name: string): YamlNode['style'] | undefined =>
  node?.kind === 'mapping'
    ? node.content.find((key, index) => index % 2 === 0 && key.value === name)?.style
    : undefined;

function chooseMap(target: YamlNode | undefined, patch: YamlNode | undefined): Merged {
  if (isMissingOrNull(target)) {
    if (patch !== undefined && directiveOrMerge(patch) === 'delete') return nothing;
    if (patch === undefined && target !== undefined && (target as YamlNode).value !== '') {
      return { node: scalar((target as YamlNode).value, nullTag), keepNull: true };
    }
    return { node: patch };
  }
  return chooseByDirective(target, patch);
}

function chooseByDirective(target: YamlNode | undefined, patch: YamlNode | undefined): Merged {
  if (patch?.tag === nullTag) return nothing;
  const directive = patch === undefined ? 'merge' : takeDirective(patch);
  if (directive === 'delete') return nothing;
  return { node: directive === 'replace' ? patch : target };
}

type Directive = 'delete' | 'replace' | 'merge';

/** An unknown directive is ignored if there is nothing to merge with. */
function directiveOrMerge(patch: YamlNode): Directive {
  try {
    return takeDirective(patch);
  } catch {
    return 'merge';
  }
}

/** Removes and returns the `$patch` directive. @throws Error for an invalid directive */
function takeDirective(patch: YamlNode): Directive {
  if (patch.kind === 'sequence') return takeListDirective(patch);
  if (patch.kind !== 'mapping') {
    throw new Error(
      `no implemented strategic merge patch strategy for '${patch.tag}' ('${printYaml(patch)}')`,
    );
  }
  const field = getField(patch, '$patch');
  if (field === undefined) return 'merge';
  const directive = directiveOf(field.value);
  clearField(patch, '$patch');
  return directive;
}

function takeListDirective(patch: YamlNode): Directive {
  const item = patch.content.find((one) => one.kind === 'mapping' && memberOf(one, '$patch') !== undefined);
  if (item === undefined || item.content.length > 2) return 'merge';
  const { value } = memberOf(item, '$patch') as YamlNode;
  const directive = directiveOf(value);
  setItem(patch, undefined, ['$patch'], [value]);
  return directive;
}

function directiveOf(value: string): Directive {
  if (value === 'delete' || value === 'replace' || value === 'merge') return value;
  throw new Error(`unknown patch strategy '${value}'`);
}

function mergeLists(
  merge: Merge,
  target: YamlNode | undefined,
  patch: YamlNode | undefined,
  place: SchemaPlace | undefined,
): Merged {
  const chosen = isMissingOrNull(target) ? { node: patch } : chooseByDirective(target, patch);
  if (chosen.node === undefined) return nothing;
  const sides: ListSides = { target: chosen.node, patch };
  const keys = place?.field.keys ?? [];
  const values = keys.length > 0 ? itemKeys(sides, keys) : scalarKeys(sides);
  return mergeItems(merge, sides, keys.length > 0 ? keys : [''], values, placeOfItems(place));
}

interface ListSides {
  readonly target: YamlNode;
  readonly patch: YamlNode | undefined;
}

/** The distinct key values of all items, those of the patch first. */
function itemKeys({ target, patch }: ListSides, keys: readonly string[]): string[][] {
  const seen = new Set<string>();
  const found: string[][] = [];
  for (const list of [patch, target]) {
    for (const item of list?.content ?? []) {
      const values = keys.map((key) => {
        const field = memberOf(item, key);
        return field === undefined || isNilOrEmpty(field) ? '' : field.value;
      });
      const text = JSON.stringify(values);
      if (seen.has(text)) continue;
      seen.add(text);
      found.push(values);
    }
  }
  return found;
}

function scalarKeys({ target, patch }: ListSides): string[][] {
  const values = [patch, target].flatMap((list) => list?.content.map((item) => item.value) ?? []);
  return [...new Set(values)].map((value) => [value]);
}

function mergeItems(
  merge: Merge,
  { target, patch }: ListSides,
  keys: readonly string[],
  given: string[][],
  place: SchemaPlace | undefined,
): Merged {
  const valuesList = keys.length > 1 ? withSharedKeys(given) : given;
  const added = emptyNode('sequence');
  let used: KeyValues = { keys, values: [] };
  for (const values of valuesList) {
    used = usedKeys(valuesList, values, keys);
    const own = usedKeys([used.values], used.values, used.keys);
    // Lookups on both sides see the current list.
    const side = (list: YamlNode | undefined) => itemOf(list, own);
    const { node } = mergeNodes(merge, side(target), side(patch), place);
    if (isEmptyMap(node)) {
      setItem(target, undefined, used.keys, used.values);
      continue;
    }
    const item = node as YamlNode;
    used.keys.forEach((key, index) => {
      const value = used.values[index] ?? '';
      if (key !== '' && memberOf(item, key) === undefined && value !== '') setField(item, key, scalar(value));
    });
    setItem(added, item, used.keys, used.values);
  }
  if (valuesList.length > 0) appendItems(added, target, used.keys);
  const result = valuesList.length > 0 ? added : target;
  return isMissingOrNull(result) ? nothing : { node: result };
}

function itemOf(list: YamlNode | undefined, { keys, values }: KeyValues): YamlNode | undefined {
  if (list === undefined || list.kind !== 'sequence' || keys.length !== values.length) return undefined;
  return findItem(list, keys, values);
}

interface KeyValues {
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

/** Without the keys that no item has; all keys if no item has any. */
function usedKeys(
  valuesList: readonly (readonly string[])[],
  values: readonly string[],
  keys: readonly string[],
): KeyValues {
  const isUsed = keys.map((_, index) => valuesList.some((one) => (one[index] ?? '') !== ''));
  if (!isUsed.includes(true)) return { keys, values };
  return {
    keys: keys.filter((_, index) => isUsed[index]),
    values: values.filter((value, index) => value !== '' || isUsed[index]),
  };
}

/** Items count as equal if all keys that both have agree. */
function withSharedKeys(valuesList: string[][]): string[][] {
  const shared = [...valuesList];
  for (let i = 0; i < shared.length; i++) {
    for (let j = 0; j < shared.length; j++) {
      const joined = joinKeys(shared[i] as string[], shared[j] as string[]);
      if (joined === undefined) continue;
      shared[i] = joined;
      shared[j] = joined;
    }
  }
  return shared;
}

function joinKeys(a: readonly string[], b: readonly string[]): string[] | undefined {
  if (a.length !== b.length || !a.some((value, index) => value === b[index])) return undefined;
  if (a.some((value, index) => value !== b[index] && value !== '' && b[index] !== '')) return undefined;
  return a.map((value, index) => (value === '' ? (b[index] as string) : value));
}

function appendItems(list: YamlNode, more: YamlNode, keys: readonly string[]): void {
  for (const item of more.content) {
    if (keys[0] === '') {
      setItem(list, item, [''], [item.value]);
      continue;
    }
    const values: string[] = [];
    for (const key of keys) {
      const value = getField(item, key);
      if (value === undefined) list.content.push(item);
      else values.push(value.value);
    }
    if (keys.length > 1) setItem(list, undefined, keys, values);
    setItem(list, item, keys, values);
  }
}
