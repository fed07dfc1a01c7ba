/** Visits the fields of a field specification and creates them if requested. */
import type { FieldSpec } from '../configuration/field-spec.ts';
import { within } from '../failure.ts';
import { isSelectedBy } from '../resources/gvk.ts';
import { gvkOf, nameOf, namespaceOf } from '../resources/metadata.ts';
import { idText } from '../resources/resource-id.ts';
import { mapTag, nullTag, type NodeKind, type YamlNode } from '../yaml/node.ts';
import { lookup, lookupCreate, splitPath } from '../yaml/path.ts';

export interface FieldVisit {
  /** Changes the field. */
  set(node: YamlNode): void;
  /** The kind of node to create if the field is missing; nothing is created if unset. */
  readonly createKind?: NodeKind;
  readonly createTag?: string;
}

export function applyFieldSpecs(object: YamlNode, specs: readonly FieldSpec[], visit: FieldVisit): void {
  for (const spec of specs) applyFieldSpec(object, spec, visit);
}

/** Does nothing for objects of other kinds. @throws Error if the path leads through a scalar */
export function applyFieldSpec(object: YamlNode, spec: FieldSpec, visit: FieldVisit): void {
  if (!isSelectedBy(gvkOf(object), spec)) return;
  const asText = () => idText({ gvk: gvkOf(object), name: nameOf(object), namespace: namespaceOf(object) });
  within(
    () => `considering field '${spec.path}' of object ${asText()}`,
    () => descend(object, splitPath(spec.path, '/'), spec, visit),
  );
}

function descend(node: YamlNode, path: readonly string[], spec: FieldSpec, visit: FieldVisit): void {
  if (path.length === 0) return visit.set(node);
  if (node.tag === nullTag) return;
  switch (node.kind) {
    case 'sequence':
      return within(`visit traversal on path: [${path.join(' ')}]`, () => {
        for (const item of node.content) descend(item, path, spec, visit);
      });
    case 'mapping':
      return descendMapping(node, path, spec, visit);
    case 'alias':
      return descend(node.alias as YamlNode, path, spec, visit);
    default:
      throw new Error('expected sequence or mapping node');
  }
}

function descendMapping(node: YamlNode, path: readonly string[], spec: FieldSpec, visit: FieldVisit): void {
  const [part = '', ...rest] = path;
  const name = part.replace(/\[\]$/, '');
  if (name === '') throw new Error('cannot set or create an empty field name');
  const made = whatToMake(part, rest, spec, visit);
  const field = within(`fieldName: ${name}`, () =>
    made.create ? lookupCreate(node, [name], made.kind as NodeKind) : lookup(node, [name]),
  );
  if (field === undefined) return;
  if (field.tag === nullTag && made.kind !== undefined) {
    field.kind = made.kind;
    field.tag = made.tag;
  }
  descend(field, rest, spec, visit);
}

interface Made {
  readonly create: boolean;
  readonly kind?: NodeKind;
  readonly tag: string;
}

function whatToMake(part: string, rest: readonly string[], spec: FieldSpec, visit: FieldVisit): Made {
  const isList = part.endsWith('[]');
  if (!(spec.create ?? false) || visit.createKind === undefined || isList) {
    return { create: false, tag: '', ...(isList ? { kind: 'sequence' } : {}) };
  }
  if (rest.length === 0) return { create: true, kind: visit.createKind, tag: visit.createTag ?? '' };
  return { create: true, kind: 'mapping', tag: mapTag };
}
