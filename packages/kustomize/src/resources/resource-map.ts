/** The resources of a build in order; each id is unique. */
import { compileWholePattern } from '../pattern.ts';
import { clearField, memberOf, setField } from '../yaml/fields.ts';
import { scalar, stringTag, type YamlNode, emptyNode } from '../yaml/node.ts';
import { lookupCreate } from '../yaml/path.ts';
import { originAnnotation } from './annotations.ts';
import { kindOf, stringMapOf, type StringMap } from './metadata.ts';
import {
  effectiveNamespace,
  identicalId,
  idText,
  noNamespace,
  sameId,
  type IdSelector,
  type ResourceId,
} from './resource-id.ts';
import { Resource } from './resource.ts';
import { isClusterScoped } from './gvk.ts';

/** Selects the resources for a patch or a plugin; group, version, kind, name and namespace are patterns. */
export interface Selector extends IdSelector {
  readonly annotationSelector?: string;
  readonly labelSelector?: string;
}

export type IdMatcher = (id: ResourceId) => boolean;

export class ResourceMap {
  #resources: Resource[] = [];

  /** @throws Error if the id exists already */
  static of(resources: readonly Resource[]): ResourceMap {
    const map = new ResourceMap();
    for (const resource of resources) map.append(resource);
    return map;
  }

  get resources(): readonly Resource[] {
    return this.#resources;
  }

  /** Replaces order or members without checking names. */
  set resources(resources: readonly Resource[]) {
    this.#resources = [...resources];
  }

  append(resource: Resource): void {
    const id = resource.id;
    if (this.#resources.some((present) => sameId(id, present.id))) {
      throw new Error(`may not add resource with an already registered id: ${idText(id)}`);
    }
    this.#resources.push(resource);
  }

  appendAll(other: ResourceMap): void {
    for (const resource of other.#resources) this.append(resource);
  }

  /** Adds a generated resource, or merges it with an existing one, as it specifies. */
  absorbAll(other: ResourceMap): void {
    for (const resource of other.#resources) this.#absorb(resource);
  }

  #absorb(resource: Resource): void {
    const id = resource.id;
    const matches = this.byAnyId((other) => sameId(id, other));
    const [old] = matches;
    const behavior = resource.behavior;
    if (old === undefined) {
      if (behavior === 'merge' || behavior === 'replace') {
        throw new Error(`id ${goId(id)} does not exist; cannot merge or replace`);
      }
      return this.append(resource);
    }
    if (matches.length > 1) {
      throw new Error(
        `found multiple objects [${matches.map(textOf).join(' ')}] that could accept merge of ${idText(id)}`,
      );
    }
    if (behavior !== 'merge' && behavior !== 'replace') {
      throw new Error(
        `id ${goId(id)} exists; can not use behavior: '${behavior}', behavior must be merge or replace`,
      );
    }
    const origin = old.annotations[originAnnotation];
    resource.takeMetadataFrom(old);
    if (behavior === 'merge') {
      // A merged resource keeps the origin of the existing one.
      if (origin !== undefined) resource.annotate(originAnnotation, origin);
      for (const field of ['data', 'binaryData']) mergeData(old.node, resource.node, field);
    }
    this.#resources[this.#resources.indexOf(old)] = resource;
  }

  remove(id: ResourceId): void {
    this.#resources = this.#resources.filter((resource) => !identicalId(resource.id, id));
  }

  dropEmpty(): void {
    this.#resources = this.#resources.filter((resource) => !resource.isEmpty);
  }

  byCurrentId(matches: IdMatcher): readonly Resource[] {
    return this.#resources.filter((resource) => matches(resource.id));
  }

  byAnyId(matches: IdMatcher): readonly Resource[] {
    return this.#resources.filter(
      (resource) => !resource.isEmpty && [...resource.previousIds, resource.id].some(matches),
    );
  }

  /** The resource with this current or former id. @throws Error unless there is exactly one */
  getById(id: ResourceId): Resource {
    const found = this.byAnyId((other) => sameId(id, other));
    if (found.length === 1) return found[0] as Resource;
    const problem = found.length > 1 ? 'multiple matches' : 'no matches';
    throw new Error(`${problem} for Id ${idText(id)}; failed to find unique target for patch ${idText(id)}`);
  }

  /** @throws Error for an invalid pattern or selector */
  select(selector: Selector): readonly Resource[] {
    const selects = idPatterns(selector);
    return this.#resources.filter((resource) => {
      const current = resource.id;
      const original = resource.originalId;
      return (
        (selects.namespace(effectiveNamespace(original)) || selects.namespace(effectiveNamespace(current))) &&
        (selects.name(original.name) || selects.name(current.name)) &&
        selects.gvk(current.gvk) &&
        resource.matchesLabels(selector.labelSelector ?? '') &&
        resource.matchesAnnotations(selector.annotationSelector ?? '')
      );
    });
  }

  /** Namespaced resources by the namespace according to `idOf`. */
  groupedByNamespace(idOf: (resource: Resource) => ResourceId): ReadonlyMap<string, readonly Resource[]> {
    const groups = Map.groupBy(this.#resources, (resource) => effectiveNamespace(idOf(resource)));
    groups.delete(noNamespace);
    return groups;
  }

  /** Resources in its namespace and cluster-scoped ones: the possible targets of a reference. */
  referableBy(referrer: Resource): ResourceMap {
    const id = referrer.id;
    if (isClusterScoped(id.gvk)) return this;
    const more = subjectNamespaces(referrer);
    const subset = new ResourceMap();
    subset.resources = this.#resources.filter((candidate) => {
      const other = candidate.id;
      return (
        isClusterScoped(other.gvk) ||
        effectiveNamespace(other) === effectiveNamespace(id) ||
        more.has(candidate.namespace)
      );
    });
    return subset;
  }

  shallowCopy(): ResourceMap {
    const copied = new ResourceMap();
    copied.resources = this.#resources;
    return copied;
  }

  toYaml(): string {
    return this.#resources.map((resource) => resource.toYaml()).join('---\n');
  }
}

/** The compiled patterns of a selector. */
export function idPatterns(selector: IdSelector) {
  const [group, version, kind, name, namespace] = [
    selector.group,
    selector.version,
    selector.kind,
    selector.name,
    selector.namespace,
  ].map((source = '') => compileWholePattern(source));
  return {
    gvk: (gvk: ResourceId['gvk']) =>
      group!.test(gvk.group) && version!.test(gvk.version) && kind!.test(gvk.kind),
    name: (text: string) => name!.test(text),
    namespace: (text: string) => namespace!.test(text),
  };
}

/** The namespaces of service accounts in a role binding. */
function subjectNamespaces(referrer: Resource): ReadonlySet<string> {
  if (kindOf(referrer.node) !== 'RoleBinding') return new Set();
  const subjects = memberOf(referrer.node, 'subjects');
  const namespaces = (subjects?.kind === 'sequence' ? subjects.content : [])
    .filter((subject) => memberOf(subject, 'kind')?.value === 'ServiceAccount')
    .map((subject) => memberOf(subject, 'namespace')?.value)
    .filter((namespace) => namespace !== undefined);
  return new Set(namespaces);
}

function mergeData(from: YamlNode, to: YamlNode, field: string): void {
  const merged: StringMap = { ...stringMapOf(memberOf(from, field)), ...stringMapOf(memberOf(to, field)) };
  clearField(to, field);
  for (const key of Object.keys(merged).sort()) {
    const map = lookupCreate(to, [field], 'mapping') ?? emptyNode('mapping');
    setField(map, key, dataValue(merged[key] as string));
  }
}

const dataValue = (value: string): YamlNode => ({
  ...scalar(value, stringTag),
  style: value.includes('\n') ? 'literal' : 'plain',
});

const textOf = (resource: Resource): string => JSON.stringify(resource.toJson());

const goId = ({ gvk, name, namespace }: ResourceId): string =>
  `resid.ResId{Gvk:resid.Gvk{Group:${JSON.stringify(gvk.group)}, Version:${JSON.stringify(gvk.version)}, Kind:${JSON.stringify(gvk.kind)}, isClusterScoped:${isClusterScoped(gvk)}}, Name:${JSON.stringify(name)}, Namespace:${JSON.stringify(namespace)}}`;
