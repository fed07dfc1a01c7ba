/** Generators, transformers and validators configured in separate files: the built-in kinds. */
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { decodeGo } from '@coxswain/apimachinery/go-decode.ts';
import type { FieldSpec } from './configuration/field-spec.ts';
import type {
  GeneratorArguments,
  Image,
  Patch,
  Replacement,
  Replica,
} from './configuration/kustomization.ts';
import { pluginShapes, type PluginKind } from './configuration/shapes.ts';
import { prefixed } from './failure.ts';
import { configMapGenerator, secretGenerator, type Generator } from './generators/configmap-and-secret.ts';
import { addNameHashes } from './generators/name-hash.ts';
import { gvkText } from './resources/gvk.ts';
import type { StringMap } from './resources/metadata.ts';
import { idText } from './resources/resource-id.ts';
import type { Resource } from './resources/resource.ts';
import { setImages } from './transformers/images.ts';
import { setEntries } from './transformers/labels.ts';
import { addPrefix, addSuffix } from './transformers/name-affixes.ts';
import { setNamespaces } from './transformers/namespace.ts';
import {
  json6902Transformer,
  patchTransformer,
  strategicMergeTransformer,
  type Json6902Arguments,
  type PatchContext,
} from './transformers/patches.ts';
import { replacementTransformer } from './transformers/replacements.ts';
import { setReplicas } from './transformers/replicas.ts';
import type { Transformer } from './transformers/transformer.ts';
import { valueAddTransformer, type ValueAddArguments } from './transformers/value-add.ts';

/** Creates resources, or changes them. */
export type Plugin =
  | { readonly kind: 'generator'; readonly generate: Generator }
  | { readonly kind: 'transformer'; readonly transform: Transformer };

/** The fields of all plugin files together; each plugin uses those of its kind. */
interface PluginArguments {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly annotations?: StringMap;
  readonly labels?: StringMap;
  readonly fieldSpecs?: readonly FieldSpec[];
  readonly imageTag?: Image;
  readonly unsetOnly?: boolean;
  readonly setRoleBindingSubjects?: string;
  readonly paths?: readonly string[];
  readonly patches?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly replacements?: readonly (Replacement & { readonly path?: string })[];
  readonly replica?: Replica;
}

type Build = (given: PluginArguments, context: PatchContext) => Plugin;

const transformer =
  (build: (given: PluginArguments, context: PatchContext) => Transformer): Build =>
  (given, context) => ({ kind: 'transformer', transform: build(given, context) });

const unavailable =
  (message: string): Build =>
  () => {
    throw new Error(message);
  };

const builders: Readonly<Record<PluginKind, Build>> = {
  AnnotationsTransformer: transformer(({ annotations = {}, fieldSpecs = [] }) =>
    setEntries(annotations, fieldSpecs),
  ),
  ConfigMapGenerator: (given, { loader }) => ({
    kind: 'generator',
    generate: configMapGenerator(named(given), loader),
  }),
  HashTransformer: transformer(() => addNameHashes),
  HelmChartInflationGenerator: unavailable('must specify --enable-helm'),
  IAMPolicyGenerator: unavailable('IAMPolicyGenerator is not implemented'),
  ImageTagTransformer: transformer(({ imageTag = {}, fieldSpecs = [] }) => setImages(imageTag, fieldSpecs)),
  LabelTransformer: transformer(({ labels = {}, fieldSpecs = [] }) => setEntries(labels, fieldSpecs)),
  NamespaceTransformer: transformer(({ metadata, fieldSpecs = [], ...options }) =>
    setNamespaces(metadata?.namespace ?? '', fieldSpecs, options),
  ),
  PatchJson6902Transformer: transformer((given, context) =>
    json6902Transformer(given as Json6902Arguments, context),
  ),
  PatchStrategicMergeTransformer: transformer(({ paths = [], patches = '' }, context) =>
    strategicMergeTransformer(paths, patches, context),
  ),
  PatchTransformer: transformer((given, context) => patchTransformer(given as Patch, context)),
  PrefixSuffixTransformer: transformer(({ prefix = '', suffix = '', fieldSpecs }) => {
    const specs = requireSpecs(fieldSpecs);
    const all = [addPrefix(prefix, specs), addSuffix(suffix, specs)];
    return (map) => all.forEach((transform) => transform(map));
  }),
  PrefixTransformer: transformer(({ prefix = '', fieldSpecs }) =>
    addPrefix(prefix, requireSpecs(fieldSpecs)),
  ),
  ReplacementTransformer: transformer(({ replacements = [] }, { loader }) =>
    replacementTransformer(replacements, loader),
  ),
  ReplicaCountTransformer: transformer(({ replica = {}, fieldSpecs = [] }) =>
    setReplicas(replica, fieldSpecs),
  ),
  SecretGenerator: (given, { loader }) => ({
    kind: 'generator',
    generate: secretGenerator(named(given), loader),
  }),
  SuffixTransformer: transformer(({ suffix = '', fieldSpecs }) =>
    addSuffix(suffix, requireSpecs(fieldSpecs)),
  ),
  ValueAddTransformer: transformer((given, { loader }) =>
    valueAddTransformer(given as ValueAddArguments, loader),
  ),
};

function requireSpecs(specs: readonly FieldSpec[] | undefined): readonly FieldSpec[] {
  if (specs === undefined) throw new Error('fieldSpecs is not expected to be nil');
  return specs;
}

/** Name and namespace default to those in the metadata. */
function named(given: PluginArguments & GeneratorArguments): GeneratorArguments {
  const { metadata = {} } = given;
  return {
    ...given,
    name: given.name || metadata.name || '',
    namespace: given.namespace || metadata.namespace || '',
  };
}

/** @throws Error for a plugin that is not built in, and for an invalid configuration */
function loadPlugin(resource: Resource, context: PatchContext): Plugin {
  const { gvk } = resource;
  if (gvk.group !== '' || gvk.version !== 'builtin') {
    throw new Error(
      `external plugins disabled; unable to load external plugin '${resource.originalId.gvk.kind}'`,
    );
  }
  if (!Object.hasOwn(pluginShapes, gvk.kind)) throw new Error(`unable to load builtin ${gvkText(gvk)}`);
  const kind = gvk.kind as PluginKind;
  try {
    const json = readYaml(resource.toYaml());
    const given = decodeGo(json, pluginShapes[kind], { lenientStrings: true }) as PluginArguments;
    return builders[kind](given, context);
  } catch (failure) {
    throw prefixed(`plugin ${idText(resource.originalId)} fails configuration`, failure);
  }
}

/** @throws Error if the resource configures something else */
export function loadTransformer(resource: Resource, context: PatchContext): Transformer {
  const plugin = loadPlugin(resource, context);
  if (plugin.kind === 'transformer') return plugin.transform;
  throw new Error(`plugin ${idText(resource.originalId)} not a transformer`);
}

export function loadGenerator(resource: Resource, context: PatchContext): Generator {
  const plugin = loadPlugin(resource, context);
  if (plugin.kind === 'generator') return plugin.generate;
  throw new Error(`plugin ${idText(resource.originalId)} not a generator`);
}
