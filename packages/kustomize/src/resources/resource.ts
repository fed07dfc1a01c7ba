/** One object of a build: a node, whose annotations hold its history. */
import { parseLabelSelector } from '@coxswain/apimachinery';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { become, copyNode, emptyNode, isNilOrEmpty, type YamlNode } from '../yaml/node.ts';
import { duplicateKeyError } from '../yaml/duplicate-keys.ts';
import { goSyntax } from '../yaml/go-syntax.ts';
import { DuplicateKey, hasStringKeys, toJson, type JsonObject } from '../yaml/json.ts';
import { printYaml } from '../yaml/print.ts';
import { prefixed } from '../failure.ts';
import { goFloat } from '@coxswain/apimachinery/go-quote.ts';
import { buildAnnotations, enabled, removedAnnotations } from './annotations.ts';
import { apiVersionOf, type Gvk } from './gvk.ts';
import {
  annotationsOf,
  gvkOf,
  labelsOf,
  nameOf,
  namespaceOf,
  setAnnotations,
  setApiVersion,
  setKind,
  setLabels,
  setMetadataEntry,
  setName,
  setNamespace,
  type StringMap,
} from './metadata.ts';
import { effectiveNamespace, idText, type ResourceId } from './resource-id.ts';

export type Behavior = 'unspecified' | 'create' | 'replace' | 'merge';

export class Resource {
  readonly node: YamlNode;
  /** Names of the `vars` that read a value from this object. */
  varNames: readonly string[] = [];

  constructor(node: YamlNode) {
    this.node = node;
  }

  /** Whether a patch deleted it. */
  get isEmpty(): boolean {
    return this.node.kind === 'none' || isNilOrEmpty(this.node);
  }

  clear(): void {
    become(this.node, emptyNode('none'));
  }

  copy(): Resource {
    const copied = new Resource(copyNode(this.node));
    copied.varNames = this.varNames;
    return copied;
  }

  get gvk(): Required<Gvk> {
    return gvkOf(this.node);
  }

  get name(): string {
    return nameOf(this.node);
  }

  get namespace(): string {
    return namespaceOf(this.node);
  }

  get annotations(): StringMap {
    return annotationsOf(this.node);
  }

  /** The current id. */
  get id(): ResourceId {
    return { gvk: this.gvk, name: this.name, namespace: this.namespace };
  }

  /** The ids before each change, oldest first. */
  get previousIds(): readonly ResourceId[] {
    return previousIdsOf(this.node);
  }

  /** The id in its file. */
  get originalId(): ResourceId {
    return this.previousIds[0] ?? this.id;
  }

  rememberId(): void {
    const id = this.id;
    this.#append(buildAnnotations.previousNames, id.name);
    this.#append(buildAnnotations.previousNamespaces, effectiveNamespace(id));
    this.#append(buildAnnotations.previousKinds, id.gvk.kind);
  }

  addPrefix(prefix: string): void {
    this.#append(buildAnnotations.prefixes, prefix);
  }

  addSuffix(suffix: string): void {
    this.#append(buildAnnotations.suffixes, suffix);
  }

  addReferrer(id: ResourceId): void {
    this.#append(buildAnnotations.referredBy, idText(id));
  }

  get prefixes(): readonly string[] {
    return this.#list(buildAnnotations.prefixes);
  }

  get suffixes(): readonly string[] {
    return this.#list(buildAnnotations.suffixes);
  }

  #append(annotation: string, value: string): void {
    if (value === '') return;
    setMetadataEntry(this.node, 'annotations', annotation, [...this.#list(annotation), value].join(','));
  }

  #list(annotation: string): readonly string[] {
    return this.annotations[annotation]?.split(',') ?? [];
  }

  enable(flag: 'allowNameChange' | 'allowKindChange' | 'needsHashSuffix'): void {
    this.annotate(buildAnnotations[flag], enabled);
  }

  isEnabled(flag: 'allowNameChange' | 'allowKindChange' | 'needsHashSuffix'): boolean {
    return this.annotations[buildAnnotations[flag]] === enabled;
  }

  get behavior(): Behavior {
    return behaviorOf(this.annotations[buildAnnotations.behavior] ?? '');
  }

  set behavior(behavior: Behavior) {
    this.annotate(buildAnnotations.behavior, behavior);
  }

  annotate(key: string, value: string): void {
    setAnnotations(this.node, { ...this.annotations, [key]: value });
  }

  removeBuildAnnotations(): void {
    const annotations = this.annotations;
    if (Object.keys(annotations).length === 0) return;
    for (const key of removedAnnotations) delete annotations[key];
    setAnnotations(this.node, annotations);
  }

  /** @throws Error for an invalid selector */
  matchesLabels(selector: string): boolean {
    return parseLabelSelector(selector).matches(labelsOf(this.node));
  }

  matchesAnnotations(selector: string): boolean {
    return parseLabelSelector(selector).matches(this.annotations);
  }

  setGvk(gvk: Gvk): void {
    setKind(this.node, gvk.kind ?? '');
    setApiVersion(this.node, apiVersionOf(gvk));
  }

  /**
   * Copies name, namespace, labels and annotations from another object; its own labels and annotations take precedence.
   */
  takeMetadataFrom(other: Resource): void {
    setLabels(this.node, { ...labelsOf(other.node), ...labelsOf(this.node) });
    setAnnotations(this.node, this.#mergedAnnotations(other.annotations));
    setName(this.node, other.name);
    setNamespace(this.node, other.namespace);
    this.varNames = other.varNames;
  }

  #mergedAnnotations(theirs: StringMap): StringMap {
    const ours = this.annotations;
    const merged: StringMap = { ...theirs, ...ours };
    for (const key of removedAnnotations) {
      if (Object.hasOwn(theirs, key)) merged[key] = theirs[key] as string;
      else delete merged[key];
    }
    if (!Object.hasOwn(ours, buildAnnotations.needsHashSuffix))
      delete merged[buildAnnotations.needsHashSuffix];
    return merged;
  }

  /** @throws Error if it cannot be represented as JSON */
  toJson(): JsonObject {
    if (this.isEmpty) return {};
    const json = this.#decoded();
    if (!hasStringKeys(this.node)) throw new Error('json: unsupported type: map[interface {}]interface {}');
    const problem = unsupportedNumber(json);
    if (problem !== undefined) throw new Error(`json: unsupported value: ${goFloat(problem)}`);
    return json;
  }

  #decoded(): JsonObject {
    try {
      return toJson(this.node) as JsonObject;
    } catch (failure) {
      if (failure instanceof DuplicateKey)
        throw new Error(duplicateKeyError(printYaml(this.node)), { cause: failure });
      throw failure;
    }
  }

  /** The form for the result. @throws Error that shows the whole object */
  toYaml(): string {
    let json: JsonObject;
    try {
      json = this.toJson();
    } catch (failure) {
      throw prefixed(this.#shown(), failure);
    }
    return writeYaml(json);
  }

  #shown(): string {
    try {
      this.#decoded();
      return goSyntax(this.node);
    } catch {
      return 'map[string]interface {}(nil)';
    }
  }
}

function unsupportedNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const part of Object.values(value)) {
    const found = unsupportedNumber(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const behaviorOf = (text: string): Behavior =>
  text === 'create' || text === 'replace' || text === 'merge' ? text : 'unspecified';

/** @throws Error if the annotations contradict each other */
function previousIdsOf(node: YamlNode): readonly ResourceId[] {
  const annotations = annotationsOf(node);
  const names = annotations[buildAnnotations.previousNames]?.split(',');
  if (names === undefined) return [];
  const namespaces = (annotations[buildAnnotations.previousNamespaces] ?? '').split(',');
  const kinds = (annotations[buildAnnotations.previousKinds] ?? '').split(',');
  if (names.length !== namespaces.length || names.length !== kinds.length) {
    throw new Error(
      'number of previous names, number of previous namespaces, number of previous kinds not equal',
    );
  }
  const { group, version } = gvkOf(node);
  return names.map((name, index) => ({
    gvk: { group, version, kind: kinds[index] as string },
    name,
    namespace: namespaces[index] as string,
  }));
}

/** The current id, then the former ones. */
export const idsOf = (node: YamlNode): readonly ResourceId[] => [
  { gvk: gvkOf(node), name: nameOf(node), namespace: namespaceOf(node) },
  ...previousIdsOf(node),
];
