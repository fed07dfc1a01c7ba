/** The legacy `vars`: replaces `$(NAME)` in certain fields with a value of another object. */
import type { FieldSpec } from '../configuration/field-spec.ts';
import type { Variable } from '../configuration/kustomization.ts';
import { gvkText, isClusterScoped, parseApiVersion, sameGvk } from '../resources/gvk.ts';
import { sameId, sameNamespace, selectorId, type ResourceId } from '../resources/resource-id.ts';
import type { ResourceMap } from '../resources/resource-map.ts';
import {
  booleanTag,
  floatTag,
  integerTag,
  isMissingOrNull,
  isStringNode,
  stringTag,
  type YamlNode,
} from '../yaml/node.ts';
import { toJson } from '../yaml/json.ts';
import { lookup, splitFieldPath } from '../yaml/path.ts';
import { applyFieldSpec } from './apply-field-spec.ts';

export interface ResolvedVariable {
  readonly name: string;
  readonly id: ResourceId;
  readonly fieldPath: string;
}

function resolveVariable({ name = '', objref = {}, fieldref }: Variable): ResolvedVariable {
  const { apiVersion = '', ...given } = objref;
  const parsed = apiVersion === '' ? {} : parseApiVersion(apiVersion);
  // A version without a group leaves the group unset.
  const gvk = apiVersion.includes('/') ? parsed : apiVersion === '' ? {} : { version: apiVersion };
  return { name, id: selectorId({ ...given, ...gvk }), fieldPath: fieldref?.fieldPath || 'metadata.name' };
}

/** Marks the objects from which variables read values. @throws Error if a target is ambiguous */
export function markVariableSources(map: ResourceMap, variables: readonly Variable[]): void {
  for (const variable of variables) {
    const { id, name, fieldPath } = resolveVariable(variable);
    const matches = (other: ResourceId) =>
      id.namespace !== '' || isClusterScoped(id.gvk)
        ? sameId(id, other) && sameNamespace(id, other)
        : id.name === other.name && sameGvk(id.gvk, other.gvk);
    const found = map.byAnyId(matches);
    if (found.length > 1) {
      throw new Error(
        `found ${found.length} resId matches for var ${goVariable({ id, name, fieldPath }, variable.fieldref?.fieldPath)} (unable to disambiguate)`,
      );
    }
    for (const resource of found) resource.varNames = [...resource.varNames, name];
  }
}

/** A variable in Go's %v format: of the object, only the kind. */
const goVariable = ({ id, name }: ResolvedVariable, fieldPath = ''): string =>
  `{${name} ${gvkText(id.gvk)} {${fieldPath}}}`;

/** The list in Go's %v format, before group and version are known. */
export const goVariables = (variables: readonly Variable[]): string =>
  `[${variables.map(({ name = '', objref = {}, fieldref }) => `{${name} ${gvkText(objref)} {${fieldref?.fieldPath ?? ''}}}`).join(' ')}]`;

export type VariableValue = string | number | boolean;

/** The values of all variables. @throws Error for a variable without a value */
export function variableValues(
  map: ResourceMap,
  variables: ReadonlyMap<string, Variable>,
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const name of [...variables.keys()].sort()) {
    const variable = variables.get(name) as Variable;
    const resolved = resolveVariable(variable);
    const shown = goVariable(resolved, resolved.fieldPath);
    const source = map.resources.find((resource) => resource.varNames.includes(name));
    if (source === undefined) {
      throw new Error(`var '${shown}' cannot be mapped to a field in the set of known resources`);
    }
    const value = fieldValue(source.node, resolved.fieldPath);
    if (value === undefined) {
      throw new Error(`field specified in var '${shown}' not found in corresponding resource`);
    }
    values.set(name, value);
  }
  return values;
}

function fieldValue(node: YamlNode, path: string): unknown {
  const parts = splitFieldPath(path).flatMap((part) => {
    const match = /^(.*)\[(\d+)\]$/.exec(part);
    return match === null ? [part] : [match[1] ?? '', match[2] as string].filter((one) => one !== '');
  });
  let found: YamlNode | undefined;
  try {
    found = lookup(node, parts);
  } catch {
    return undefined;
  }
  if (found === undefined) return undefined;
  const isTyped = [integerTag, floatTag, booleanTag].includes(found.tag) || found.kind !== 'scalar';
  return isTyped ? toJson(found) : found.value;
}

/** Replaces `$(NAME)`; resolves with the names that were used nowhere. */
export function replaceVariables(
  map: ResourceMap,
  values: ReadonlyMap<string, unknown>,
  specs: readonly FieldSpec[],
): readonly string[] {
  const used = new Set<string>();
  const valueOfName = (name: string): VariableValue => {
    const value = values.get(name);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      return `$(${name})`;
    used.add(name);
    return value;
  };
  for (const { node } of map.resources) {
    for (const spec of specs) applyFieldSpec(node, spec, { set: (target) => replaceIn(target, valueOfName) });
  }
  return [...values.keys()].filter((name) => !used.has(name));
}

function replaceIn(node: YamlNode, valueOfName: (name: string) => VariableValue): void {
  if (isMissingOrNull(node)) return;
  if (node.kind === 'scalar') {
    if (isStringNode(node)) setValue(node, expand(node.value, valueOfName));
    return;
  }
  const isMapping = node.kind === 'mapping';
  for (const [index, item] of node.content.entries()) {
    if (isMapping && index % 2 === 0) {
      if (!isStringNode(item)) throw new Error(`invalid map key: value='${item.value}', tag='${item.tag}'`);
    } else if (isStringNode(item)) setValue(item, expand(item.value, valueOfName));
    else if (!isMapping) throw new Error('invalid value type expect a string');
  }
}

function setValue(node: YamlNode, value: VariableValue): void {
  node.value = String(value);
  node.style = 'plain';
  if (typeof value === 'boolean') node.tag = booleanTag;
  else if (typeof value === 'number') node.tag = Number.isInteger(value) ? integerTag : floatTag;
  else node.tag = stringTag;
}

/** Text that consists of a single reference takes the type of the value; `$$` is a dollar sign. */
export function expand(text: string, valueOfName: (name: string) => VariableValue): VariableValue {
  const whole = /^\$\(([^)]*)\)$/.exec(text);
  if (whole !== null) return valueOfName(whole[1] as string);
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (match, name: string | undefined) =>
    name === undefined ? '$' : String(valueOfName(name)),
  );
}
