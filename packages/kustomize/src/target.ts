/** A directory with a kustomization: everything below it is built first, then its own steps run. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { Accumulator } from './accumulator.ts';
import { loadCrdConfig } from './configuration/crds.ts';
import { loadKustomization, type Kustomization } from './configuration/kustomization.ts';
import type { PluginKind } from './configuration/shapes.ts';
import { loadTransformerConfig } from './configuration/transformer-config.ts';
import { prefixed, within } from './failure.ts';
import type { Generator } from './generators/configmap-and-secret.ts';
import type { Loader } from './loading/loader.ts';
import { loadGenerator, loadTransformer } from './plugins.ts';
import { originAnnotation } from './resources/annotations.ts';
import { labelsOf, setLabels } from './resources/metadata.ts';
import {
  addTransformation,
  builtinOrigin,
  originBelow,
  originOf,
  originText,
  pluginOrigin,
  setOrigin,
  type Origin,
} from './resources/origin.ts';
import { readResources } from './resources/read-resources.ts';
import { isMalformedYaml, readResourcesOfFile } from './resources/resource-file.ts';
import { ResourceMap } from './resources/resource-map.ts';
import type { Resource } from './resources/resource.ts';
import { readCustomSchema } from './schema/custom-schema.ts';
import { builtinSchema, type KnownKinds } from './schema/merge-schema.ts';
import { generatorSteps, transformerSteps } from './steps.ts';
import type { PatchContext } from './transformers/patches.ts';
import type { Transformer } from './transformers/transformer.ts';
import { goVariables } from './transformers/variables.ts';
import { sortedJson } from './yaml/sorted-json.ts';

/** Shared by all directories of a build. */
export interface BuildState {
  warn(line: string): void;
  /** From the topmost kustomization that sets it. */
  schema: KnownKinds | undefined;
}

export class Target {
  readonly kustomization: Kustomization;
  readonly #fileName: string;
  readonly #loader: Loader;
  readonly #state: BuildState;
  /** The path of this directory relative to the root; undefined if origins are not recorded. */
  #origin: Origin | undefined;
  readonly #buildMetadata: readonly string[];
  /** The namespace of the nearest parent kustomization that sets one. */
  readonly #chartNamespace: string;

  constructor(loader: Loader, state: BuildState, parent?: Target) {
    const { kustomization, fileName } = loadKustomization(loader, (line) => state.warn(line));
    this.kustomization = kustomization;
    this.#fileName = fileName;
    this.#loader = loader;
    this.#state = state;
    this.#buildMetadata = parent === undefined ? (kustomization.buildMetadata ?? []) : parent.#buildMetadata;
    this.#chartNamespace =
      parent === undefined ? '' : parent.kustomization.namespace || parent.#chartNamespace;
    this.#origin = parent === undefined ? (this.#buildMetadata.length > 0 ? {} : undefined) : parent.#origin;
  }

  /** Reads the schema of the kustomization unless a parent has set one. */
  loadSchema(): void {
    const { openapi = {} } = this.kustomization;
    const path = openapi['path'];
    const text = path === undefined ? undefined : this.#loader.loadText(path);
    if (this.#state.schema !== undefined) return;
    if (text !== undefined) {
      if (openapi['version'] !== undefined) {
        throw new Error('builtin version and custom schema provided, cannot use both');
      }
      this.#state.schema = readCustomSchema(text);
    } else if (openapi['version']) {
      if (openapi['version'] !== 'v1.21.2') throw new Error('the specified OpenAPI version is not built in');
      this.#state.schema = builtinSchema;
    }
  }

  get #context(): PatchContext {
    return { loader: this.#loader, schema: () => this.#state.schema ?? builtinSchema };
  }

  /** @param into the resources that a component changes; a directory starts with none */
  accumulate(into: Accumulator = new Accumulator()): Accumulator {
    const { kustomization: k } = this;
    within('accumulating resources', () => this.#accumulateResources(into, k.resources ?? []));
    into.mergeConfig(loadTransformerConfig(this.#loader, k.configurations ?? []));
    into.mergeConfig(
      within(`loading CRDs [${(k.crds ?? []).join(' ')}]`, () => loadCrdConfig(this.#loader, k.crds ?? [])),
    );
    this.#runGenerators(into);
    const accumulator = within('accumulating components', () =>
      (k.components ?? []).reduce((all, path) => this.#accumulateComponent(all, path), into),
    );
    this.#runTransformers(accumulator);
    this.#runValidators(accumulator);
    within(
      () => `merging vars ${goVariables(k.vars ?? [])}`,
      () => accumulator.addVariables(k.vars ?? []),
    );
    return accumulator;
  }

  /** A path is a file with resources, or a directory with a kustomization. */
  #accumulateResources(into: Accumulator, paths: readonly string[]): void {
    for (const path of paths) {
      try {
        this.#accumulateFile(into, path);
      } catch (failure) {
        this.#accumulateInstead(into, path, failure);
      }
    }
  }

  #accumulateFile(into: Accumulator, path: string): void {
    const resources = within(`accumulating resources from '${path}'`, () =>
      ResourceMap.of(readResourcesOfFile(this.#loader, path)),
    );
    if (this.#origin !== undefined) {
      const text = originText(originBelow(this.#origin, path));
      for (const resource of resources.resources) resource.annotate(originAnnotation, text);
    }
    within(`merging resources from '${path}'`, () => into.map.appendAll(resources));
  }

  #accumulateInstead(into: Accumulator, path: string, failure: unknown): void {
    const context = `accumulation err='${messageOf(failure)}'`;
    let loader: Loader;
    try {
      loader = this.#loader.to(path);
    } catch (noDirectory) {
      throw isMalformedYaml(failure) ? failure : prefixed(context, noDirectory);
    }
    within(context, () => {
      const part = this.#below(path, () => this.#subTarget(loader, false).accumulateIn(loader.root));
      within(`recursed merging from path '${loader.root}'`, () => into.merge(part));
    });
  }

  /** Builds on everything so far; existing resources are merged under their names. */
  #accumulateComponent(accumulator: Accumulator, path: string): Accumulator {
    let loader: Loader;
    try {
      loader = this.#loader.to(path);
    } catch (failure) {
      throw new Error(`loader.New ${goQuote(messageOf(failure))}`, { cause: failure });
    }
    try {
      const built = this.#below(path, () =>
        this.#subTarget(loader, true).accumulateIn(loader.root, accumulator),
      );
      const merged = new Accumulator();
      within(`recursed merging from path '${loader.root}'`, () => merged.merge(built));
      return merged;
    } catch (failure) {
      throw new Error(`accumulateDirectory: ${goQuote(messageOf(failure))}`, { cause: failure });
    }
  }

  #below<T>(path: string, body: () => T): T {
    const origin = this.#origin;
    if (origin !== undefined) this.#origin = originBelow(origin, path);
    try {
      return body();
    } finally {
      this.#origin = origin;
    }
  }

  #subTarget(loader: Loader, isComponent: boolean): Target {
    const target = within(
      `couldn't make target for path '${loader.root}'`,
      () => new Target(loader, this.#state, this),
    );
    target.loadSchema();
    const { kind = '' } = target.kustomization;
    if (isComponent && kind !== 'Component') {
      throw new Error(`expected kind 'Component' for path '${loader.root}' but got '${kind}'`);
    }
    if (!isComponent && kind === 'Component') {
      throw new Error(`expected kind != 'Component' for path '${loader.root}'`);
    }
    return target;
  }

  accumulateIn(root: string, into?: Accumulator): Accumulator {
    return within(`recursed accumulation of path '${root}'`, () => this.accumulate(into));
  }

  #runGenerators(into: Accumulator): void {
    const builtin = generatorSteps(this.kustomization, this.#context, this.#chartNamespace).map(
      ({ kind, generate }) => ({
        generate,
        origin: this.#builtinOrigin(kind),
      }),
    );
    const external = within('loading generator plugins', () => this.#externalGenerators());
    for (const { generate, origin } of [...builtin, ...external]) {
      const generated = generate();
      if (origin !== undefined) {
        for (const resource of generated.resources) {
          if (originOf(resource) === undefined) setOrigin(resource, origin);
        }
      }
      within(`merging from generator ${goGenerator(origin)}`, () => into.map.absorbAll(generated));
    }
  }

  #builtinOrigin(kind: PluginKind): Origin | undefined {
    return this.#origin === undefined ? undefined : builtinOrigin(this.#origin, this.#fileName, kind);
  }

  #externalGenerators(): readonly { readonly generate: Generator; readonly origin: Origin | undefined }[] {
    return this.#pluginResources(this.kustomization.generators ?? [], 'generator').map((resource) => ({
      generate: within('failed to load generator', () => loadGenerator(resource, this.#context)),
      origin: pluginOrigin(resource),
    }));
  }

  /** Entries are inline resources or paths. */
  #pluginResources(entries: readonly string[], what: string): readonly Resource[] {
    const accumulator = new Accumulator();
    const paths: string[] = [];
    for (const entry of entries) {
      let resources: Resource[];
      try {
        resources = readResources(entry);
      } catch {
        paths.push(entry);
        continue;
      }
      if (this.#origin !== undefined) {
        const origin = originBelow(this.#origin, this.#fileName);
        for (const resource of resources) setOrigin(resource, origin);
      }
      within(`configuring external ${what}`, () => accumulator.map.appendAll(ResourceMap.of(resources)));
    }
    this.#accumulateResources(accumulator, paths);
    return accumulator.map.resources;
  }

  #externalTransformers(entries: readonly string[]) {
    return this.#pluginResources(entries, 'transformer').map((resource) => ({
      transform: loadTransformer(resource, this.#context),
      origin: pluginOrigin(resource),
    }));
  }

  #runTransformers({ map, config }: Accumulator): void {
    const steps: { transform: Transformer; origin: Origin | undefined }[] = [
      ...transformerSteps(this.kustomization, config, this.#context).map(({ kind, transform }) => ({
        transform,
        origin: this.#builtinOrigin(kind),
      })),
      ...this.#externalTransformers(this.kustomization.transformers ?? []),
    ];
    for (const { transform, origin } of steps) {
      transform(map);
      if (origin !== undefined) noteTransformation(map, origin);
      map.dropEmpty();
    }
  }

  #runValidators({ map }: Accumulator): void {
    for (const { transform } of this.#externalTransformers(this.kustomization.validators ?? [])) {
      const before = map.resources.map((resource) => resource.copy());
      transform(map);
      const changed = firstModified(before, map.resources);
      if (changed !== undefined) throw new Error(`validator shouldn't modify the resource map: ${changed}`);
    }
  }
}

/** Upstream prints the pointers to its generator and to the origin. */
const goGenerator = (origin: Origin | undefined): string =>
  `&{0xc000000000 ${origin === undefined ? '<nil>' : '0xc000000000'}}`;

function noteTransformation(map: ResourceMap, origin: Origin): void {
  for (const resource of map.resources) {
    if (originOf(resource) === undefined) setOrigin(resource, origin);
    else addTransformation(resource, origin);
  }
}

const validatedByLabel = 'validated-by';

/** A change other than the label that validators may add; undefined if there is none. */
function firstModified(before: readonly Resource[], after: readonly Resource[]): string | undefined {
  if (before.length !== after.length) return 'lists have different number of entries';
  for (const [index, resource] of after.entries()) {
    const old = before[index] as Resource;
    const copied = resource.copy();
    const { [validatedByLabel]: mark, ...labels } = labelsOf(copied.node);
    if (mark !== undefined) setLabels(copied.node, labels);
    const [was, is] = [old, copied].map((one) => sortedJson(one.toJson()));
    // Existing labels count as changed, since upstream has rewritten them.
    if (was === is && (mark === undefined || Object.keys(labels).length === 0)) continue;
    return `nodes unequal: \n -- ${was},\n -- ${is}\n\n--\n${goResource}\n------\n${goResource}\n`;
  }
  return undefined;
}

const goResource =
  '&resource.Resource{RNode:yaml.RNode{fieldPath:[]string(nil), value:(*yaml.Node)(0xc000000000), ShouldKeep:false, Match:[]string(nil)}, refVarNames:[]string(nil)}';
