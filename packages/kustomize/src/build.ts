/** Builds a kustomization: files in, resources out. */
import type { KustomizeFiles } from './loading/files.ts';
import { Loader } from './loading/loader.ts';
import { addNameHashes } from './generators/name-hash.ts';
import { localConfigAnnotation } from './resources/annotations.ts';
import { setEntries } from './transformers/labels.ts';
import { clearTransformations, setOrigin } from './resources/origin.ts';
import { requireMetadata } from './resources/metadata.ts';
import type { ResourceMap } from './resources/resource-map.ts';
import { Target, type BuildState } from './target.ts';
import { legacyOrder, sortResources } from './transformers/sort-order.ts';

export interface BuildOptions {
  /** Whether files outside the directory of a kustomization may be read. */
  readonly unrestricted?: boolean;
  /** `none` keeps the order of the files if the kustomization specifies none. */
  readonly reorder?: 'legacy' | 'none' | 'unspecified';
  readonly managedByLabel?: boolean;
  /** Receives a line for each deprecated field. */
  warn?(line: string): void;
  /** Receives what upstream writes to its log. */
  log?(line: string): void;
}

/** The version of kustomize whose results are reproduced. */
export const kustomizeVersion = 'v5.8.1';

/** @throws Error in upstream's words */
export function buildKustomization(
  files: KustomizeFiles,
  path: string,
  options: BuildOptions = {},
): ResourceMap {
  const loader = Loader.at(path, files, { unrestricted: options.unrestricted ?? false });
  const state: BuildState = { warn: (line) => options.warn?.(line), schema: undefined };
  const target = new Target(loader, state);
  target.loadSchema();
  const accumulator = target.accumulate();
  const { map } = accumulator;
  addNameHashes(map);
  accumulator.followNameReferences();
  const unused = accumulator.resolveVariables();
  if (unused.length > 0) options.log?.(`well-defined vars that were never replaced: ${unused.join(',')}`);
  dropLocalConfig(map);
  sort(map, target, options);
  finish(map, target.kustomization.buildMetadata ?? [], options.managedByLabel ?? false);
  return map;
}

/** Removes the build's internal annotations from the result. */
function dropLocalConfig(map: ResourceMap): void {
  map.dropEmpty();
  map.resources = map.resources.filter(({ node }) => {
    const local = requireMetadata(node).annotations?.[localConfigAnnotation];
    return local === undefined || local === 'false';
  });
}

function sort(map: ResourceMap, target: Target, options: BuildOptions): void {
  const { sortOptions } = target.kustomization;
  const { reorder = 'unspecified' } = options;
  if (sortOptions !== undefined) {
    if (reorder !== 'unspecified') {
      options.log?.(
        "Warning: Sorting order is set both in 'kustomization.yaml' ('sortOptions') and in a CLI flag ('--reorder'). Using the kustomization file over the CLI flag.",
      );
    }
    sortResources(sortOptions)(map);
  } else if (reorder !== 'none') sortResources(legacyOrder)(map);
}

function finish(map: ResourceMap, metadata: readonly string[], managedByLabel: boolean): void {
  if (managedByLabel || metadata.includes('managedByLabel')) {
    setEntries({ 'app.kubernetes.io/managed-by': `kustomize-${kustomizeVersion}` }, [
      { path: 'metadata/labels', create: true },
    ])(map);
  }
  for (const resource of map.resources) {
    resource.removeBuildAnnotations();
    if (!metadata.includes('originAnnotations')) setOrigin(resource, undefined);
    if (!metadata.includes('transformerAnnotations')) clearTransformations(resource);
  }
}
