/** Copies values from one object to fields of others. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { decodeGo } from '@coxswain/apimachinery/go-decode.ts';
import type { Replacement, ReplacementOptions, ReplacementTarget } from '../configuration/kustomization.ts';
import { replacementShape } from '../configuration/shapes.ts';
import { prefixed } from '../failure.ts';
import type { Loader } from '../loading/loader.ts';
import { idIsSelected, idText, selectorId, type ResourceId } from '../resources/resource-id.ts';
import { idPatterns, type Selector } from '../resources/resource-map.ts';
import { idsOf, type Resource } from '../resources/resource.ts';
import {
  become,
  copyNode,
  isNilOrEmpty,
  scalar,
  valueOf,
  type NodeKind,
  type YamlNode,
} from '../yaml/node.ts';
import { lookup, splitFieldPath } from '../yaml/path.ts';
import { matchPath } from '../yaml/path-matcher.ts';
import { setInText } from './structured-text.ts';
import type { Transformer } from './transformer.ts';

type ReplacementEntry = Replacement & { readonly path?: string };

const defaultFieldPath = 'metadata.name';

/** Entries may be in separate files. */
export function replacementTransformer(entries: readonly ReplacementEntry[], loader: Loader): Transformer {
  const replacements = entries.flatMap((entry) => loadEntry(entry, loader));
  return (map) => {
    for (const replacement of replacements) applyReplacement(map.resources, replacement);
    map.dropEmpty();
  };
}

function loadEntry(entry: ReplacementEntry, loader: Loader): readonly Replacement[] {
  const { path = '', source, targets = [] } = entry;
  if (path === '') return [entry];
  if (source !== undefined || targets.length > 0) {
    throw new Error('cannot specify both path and inline replacement');
  }
  const json = readYaml(loader.loadText(path));
  const decode = (one: unknown) => decodeGo(one, replacementShape, { lenientStrings: true }) as Replacement;
  if (Array.isArray(json)) return json.map(decode);
  if (typeof json === 'object' && json !== null) return [decode(json)];
  throw new Error(`unsupported replacement type encountered within replacement path: ${goKind(json)}`);
}

const goKind = (value: unknown): string =>
  value === null
    ? 'invalid'
    : typeof value === 'number'
      ? 'float64'
      : typeof value === 'boolean'
        ? 'bool'
        : 'string';

function applyReplacement(resources: readonly Resource[], replacement: Replacement): void {
  const { source, sourceValue, targets } = replacement;
  if ((source === undefined && sourceValue === undefined) || targets === undefined) {
    throw new Error('replacements must specify a source and at least one target');
  }
  const value = sourceNode(resources, replacement);
  for (const target of targets) applyToTarget(resources, value, target);
}

function sourceNode(resources: readonly Resource[], { source, sourceValue }: Replacement): YamlNode {
  if (source === undefined) return scalar(sourceValue ?? '');
  if (sourceValue !== undefined) throw new Error('value and resource selectors are mutually exclusive');
  const selected = resources.filter(({ node }) => idsOf(node).some((id) => idIsSelected(id, source)));
  const [first] = selected;
  if (first === undefined) throw new Error(`nothing selected by ${sourceText(source)}`);
  if (selected.length > 1) throw new Error(`multiple matches for selector ${sourceText(source)}`);
  const fieldPath = source.fieldPath || defaultFieldPath;
  let found: YamlNode | undefined;
  try {
    found = lookup(first.node, splitFieldPath(fieldPath));
  } catch (failure) {
    throw prefixed('error looking up replacement source', failure);
  }
  if (found === undefined || isNilOrEmpty(found)) {
    throw new Error(
      `fieldPath \`${fieldPath}\` is missing for replacement source ${idText(selectorId(source))}`,
    );
  }
  return pieceOf(found, source.options);
}

function sourceText(source: NonNullable<Replacement['source']>): string {
  const { fieldPath = '', options } = source;
  const { delimiter = '', index = 0, create = false } = options ?? {};
  const parts = [idText(selectorId(source))];
  if (fieldPath !== '') parts.push(fieldPath);
  if (delimiter !== '' || create) parts.push(`${delimiter}(${index}), create=${create}`);
  return parts.join(':');
}

const delimiterNeedsScalar = 'delimiter option can only be used with scalar nodes';

function pieceOf(node: YamlNode, { delimiter = '', index = 0 }: ReplacementOptions = {}): YamlNode {
  if (delimiter === '') return node;
  if (node.kind !== 'scalar') throw new Error(delimiterNeedsScalar);
  const piece = valueOf(node).split(delimiter)[index];
  if (piece === undefined) {
    throw new Error(`options.index ${index} is out of bounds for value ${valueOf(node)}`);
  }
  return { ...copyNode(node), value: piece };
}

function applyToTarget(resources: readonly Resource[], value: YamlNode, target: ReplacementTarget): void {
  const { select, reject = [] } = target;
  if (select === undefined) throw new Error('target must specify resources to select');
  const fieldPaths =
    (target.fieldPaths ?? []).length === 0 ? [defaultFieldPath] : (target.fieldPaths as string[]);
  let matchesSelect: (id: ResourceId) => boolean;
  let matchesReject: readonly ((id: ResourceId) => boolean)[];
  try {
    matchesSelect = idMatcher(select);
    matchesReject = reject.filter((one) => !isEmptySelector(one)).map(idMatcher);
  } catch (failure) {
    throw prefixed('error creating target selector', failure);
  }
  const rejectsByMetadata = reject.filter((one) => one.annotationSelector || one.labelSelector);
  for (const resource of resources) {
    const ids = idsOf(resource.node);
    if (!matchesMetadata(resource, select)) continue;
    if (rejectsByMetadata.some((one) => matchesMetadata(resource, one))) continue;
    if (matchesReject.some((matches) => ids.some(matches)) || !ids.some(matchesSelect)) continue;
    for (const fieldPath of fieldPaths) copyTo(resource.node, value, fieldPath, target.options);
  }
}

const isEmptySelector = ({ group, version, kind, name, namespace }: Selector): boolean =>
  !(group || version || kind || name || namespace);

function idMatcher(selector: Selector): (id: ResourceId) => boolean {
  const patterns = idPatterns(selector);
  return (id) => patterns.gvk(id.gvk) && patterns.name(id.name) && patterns.namespace(id.namespace);
}

const matchesMetadata = (
  resource: Resource,
  { annotationSelector = '', labelSelector = '' }: Selector,
): boolean => resource.matchesAnnotations(annotationSelector) && resource.matchesLabels(labelSelector);

function copyTo(
  object: YamlNode,
  value: YamlNode,
  fieldPath: string,
  options: ReplacementOptions = {},
): void {
  const create = options.create ? value.kind : undefined;
  const path = splitFieldPath(fieldPath);
  if (setInText(object, value, path, create)) return;
  for (const field of fieldsAt(object, path, fieldPath, create)) setField(field, value, options);
}

function fieldsAt(
  object: YamlNode,
  path: readonly string[],
  fieldPath: string,
  create: NodeKind | undefined,
): readonly YamlNode[] {
  const problem = `unable to find ${create === undefined ? '' : 'or create '}field ${goQuote(fieldPath)} in replacement target`;
  let fields: readonly YamlNode[] | undefined;
  try {
    fields = matchPath(object, path, create);
  } catch (failure) {
    throw prefixed(problem, failure);
  }
  if (fields === undefined || fields.length === 0) throw new Error(problem);
  return fields;
}

function setField(field: YamlNode, value: YamlNode, { delimiter = '', index = 0 }: ReplacementOptions): void {
  const copied = copyNode(value);
  if (delimiter !== '') {
    if (field.kind !== 'scalar') throw new Error(delimiterNeedsScalar);
    const pieces = field.value.split(delimiter);
    if (index < 0) pieces.unshift(valueOf(value));
    else if (index >= pieces.length) pieces.push(valueOf(value));
    else pieces[index] = valueOf(value);
    copied.value = pieces.join(delimiter);
  }
  if (field.kind === 'scalar') field.value = copied.value;
  else become(field, copied);
}
