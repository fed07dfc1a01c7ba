/** The three kinds of patch fields in a kustomization. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { JsonPatchOperation } from '@coxswain/apimachinery/json-patch.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import type { Patch } from '../configuration/kustomization.ts';
import { prefixed } from '../failure.ts';
import type { Loader } from '../loading/loader.ts';
import { readResources } from '../resources/read-resources.ts';
import { readResourcesOfFile } from '../resources/resource-file.ts';
import { idText, selectorId } from '../resources/resource-id.ts';
import type { ResourceMap, Selector } from '../resources/resource-map.ts';
import type { Resource } from '../resources/resource.ts';
import type { KnownKinds } from '../schema/merge-schema.ts';
import { patchWithJson, readJsonPatch } from './json-patch.ts';
import { applyStrategicPatch, patchSelected } from './strategic-patch.ts';
import type { Transformer } from './transformer.ts';

export interface PatchContext {
  readonly loader: Loader;
  /** Read when a patch is applied, since the root may set a schema of its own. */
  readonly schema: () => KnownKinds;
}

/** An entry of `patches`, of either kind. @throws Error if it is neither, or both */
export function patchTransformer(given: Patch, context: PatchContext): Transformer {
  const { text, source } = patchText(given, context.loader);
  const strategic = attempt(() => readResources(text));
  const operations = attempt(() => readJsonPatch(text));
  if ((strategic.value?.length ?? 0) > 0 && (operations.value?.length ?? 0) > 0) {
    throw new Error(`illegally qualifies as both an SM and JSON patch: ${source}`);
  }
  if (strategic.value !== undefined) {
    const patches = strategic.value;
    for (const patch of patches) allowChanges(patch, given.options);
    if (patches.length === 0) return () => {};
    return (map) => applyStrategicEntry(map, patches, given.target, source, context);
  }
  if (operations.value === undefined) throw new Error(`unable to parse SM or JSON patch from ${source}`);
  const found = operations.value;
  return (map) => applyJsonEntry(map, found, given.target, source);
}

function patchText(given: Patch, loader: Loader): { text: string; source: string } {
  const { path = '' } = given;
  const patch = (given.patch ?? '').trim();
  if (patch === '' && path === '') throw new Error(`must specify one of patch and path in\n${shown(given)}`);
  if (patch !== '' && path !== '') {
    throw new Error(`patch and path can't be set at the same time\n${shown(given)}`);
  }
  if (patch !== '') return { text: patch, source: `[patch: ${goQuote(patch)}]` };
  try {
    return { text: loader.loadText(path), source: `[path: ${goQuote(path)}]` };
  } catch (failure) {
    throw prefixed(`failed to get the patch file from path(${path})`, failure);
  }
}

/** The configuration of a patch in upstream's format. */
const shown = ({ path, patch, target, options }: Patch): string =>
  writeYaml({
    ...(options === undefined ? {} : { options }),
    ...(patch ? { patch } : {}),
    ...(path ? { path } : {}),
    ...(target === undefined ? {} : { target }),
  });

interface Attempt<T> {
  readonly value?: T;
  readonly failure?: unknown;
}

function attempt<T>(body: () => T): Attempt<T> {
  try {
    return { value: body() };
  } catch (failure) {
    return { failure };
  }
}

function allowChanges(patch: Resource, options: Patch['options']): void {
  if (options?.allowNameChange) patch.enable('allowNameChange');
  if (options?.allowKindChange) patch.enable('allowKindChange');
}

function applyStrategicEntry(
  map: ResourceMap,
  patches: readonly Resource[],
  target: Selector | undefined,
  source: string,
  context: PatchContext,
): void {
  if (target === undefined) return applyToNamed(map, patches, context);
  if (patches.length > 1) {
    throw new Error(
      `Multiple Strategic-Merge Patches in one \`patches\` entry is not allowed to set \`patches.target\` field: ${source}`,
    );
  }
  let selected: readonly Resource[];
  try {
    selected = map.select(target);
  } catch (failure) {
    throw prefixed(`unable to find patch target ${goQuote(selectorText(target))} in \`resources\``, failure);
  }
  patchSelected(map, selected, patches[0] as Resource, context.schema());
}

const selectorText = (selector: Selector): string =>
  `${idText(selectorId(selector))}:a=${selector.annotationSelector ?? ''}:l=${selector.labelSelector ?? ''}`;

function applyToNamed(map: ResourceMap, patches: readonly Resource[], { schema }: PatchContext): void {
  for (const patch of patches) {
    const id = patch.originalId;
    let target: Resource;
    try {
      target = map.getById(id);
    } catch (failure) {
      throw prefixed(`no resource matches strategic merge patch ${goQuote(idText(id))}`, failure);
    }
    applyStrategicPatch(target, patch, schema());
  }
}

function applyJsonEntry(
  map: ResourceMap,
  operations: readonly JsonPatchOperation[],
  target: Selector | undefined,
  source: string,
): void {
  if (target === undefined) throw new Error(`must specify a target for JSON patch ${source}`);
  for (const resource of map.select(target)) {
    resource.rememberId();
    patchWithJson(resource, operations);
  }
}

/** The legacy `patchesStrategicMerge`: inline patches, or paths of files with patches. */
export function strategicMergeTransformer(
  entries: readonly string[],
  inline: string,
  context: PatchContext,
): Transformer {
  if (entries.length === 0 && inline === '') throw new Error('empty file path and empty patch content');
  const patches = entries.flatMap((entry) => {
    const found = attempt(() => readResources(entry));
    return found.value ?? readResourcesOfFile(context.loader, entry);
  });
  if (inline !== '') patches.push(...readResources(inline));
  if (patches.length === 0) {
    throw new Error(`patch appears to be empty; files=[${entries.join(' ')}], Patch=${inline}`);
  }
  return (map) => {
    for (const patch of patches) {
      patchSelected(map, [map.getById(patch.originalId)], patch, context.schema());
    }
  };
}

export interface Json6902Arguments {
  readonly target?: Selector;
  readonly path?: string;
  readonly jsonOp?: string;
}

/** The legacy `patchesJson6902`. */
export function json6902Transformer(given: Json6902Arguments, { loader }: PatchContext): Transformer {
  const { target, path = '' } = given;
  if ((target?.name ?? '') === '') throw new Error('must specify the target name');
  const text = json6902Text(given, loader);
  let operations: readonly JsonPatchOperation[];
  try {
    operations = readJsonPatch(text);
  } catch (failure) {
    if (!text.startsWith('[')) throw failure;
    throw prefixed(`decoding ${text}`, failure);
  }
  if (operations.length === 0) {
    throw new Error(`patch appears to be empty; file=${path}, JsonOp=${JSON.stringify(operations)}`);
  }
  return (map) => {
    for (const resource of map.select(target as Selector)) patchWithJson(resource, operations);
  };
}

function json6902Text({ path = '', jsonOp = '' }: Json6902Arguments, loader: Loader): string {
  if (path === '' && jsonOp === '') throw new Error('empty file path and empty jsonOp');
  if (path === '') return jsonOp;
  if (jsonOp !== '') throw new Error('must specify a file path or jsonOp, not both');
  const text = loader.loadText(path);
  if (text === '') throw new Error(`patch file '${path}' empty seems to be empty`);
  return text;
}
