/** The steps of one kustomization: its generators and transformers, in upstream's order. */
import { mergeFieldSpecs, type FieldSpec } from './configuration/field-spec.ts';
import type { Kustomization, LabelEntry, Patch } from './configuration/kustomization.ts';
import type { PluginKind } from './configuration/shapes.ts';
import type { TransformerConfig } from './configuration/transformer-config.ts';
import { prefixed } from './failure.ts';
import {
  configMapGenerator,
  secretGenerator,
  withGlobalOptions,
  type Generator,
} from './generators/configmap-and-secret.ts';
import { setImages } from './transformers/images.ts';
import { setEntries } from './transformers/labels.ts';
import { addPrefix, addSuffix } from './transformers/name-affixes.ts';
import { setNamespaces } from './transformers/namespace.ts';
import {
  json6902Transformer,
  patchTransformer,
  strategicMergeTransformer,
  type PatchContext,
} from './transformers/patches.ts';
import { replacementTransformer } from './transformers/replacements.ts';
import { setReplicas } from './transformers/replicas.ts';
import type { Transformer } from './transformers/transformer.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';

export interface GeneratorStep {
  readonly kind: PluginKind;
  readonly generate: Generator;
}

export interface TransformerStep {
  readonly kind: PluginKind;
  readonly transform: Transformer;
}

/** @param chartNamespace the namespace of a parent kustomization, for charts without one */
export function generatorSteps(
  kustomization: Kustomization,
  { loader }: PatchContext,
  chartNamespace: string,
): readonly GeneratorStep[] {
  const { configMapGenerator: maps = [], secretGenerator: secrets = [], generatorOptions } = kustomization;
  const steps: GeneratorStep[] = [
    ...maps.map((given) => ({
      kind: 'ConfigMapGenerator' as const,
      generate: configMapGenerator(withGlobalOptions(given, generatorOptions), loader),
    })),
    ...secrets.map((given) => ({
      kind: 'SecretGenerator' as const,
      generate: secretGenerator(withGlobalOptions(given, generatorOptions), loader),
    })),
  ];
  for (const chart of kustomization.helmCharts ?? []) {
    const namespace = kustomization.namespace || chartNamespace;
    const given = { ...kustomization.helmGlobals, ...(namespace === '' ? {} : { namespace }), ...chart };
    throw configurationError('HelmChartInflationGenerator', given, new Error('must specify --enable-helm'));
  }
  return steps;
}

/** Adds the faulty configuration to the error. */
function configurationError(kind: PluginKind, configuration: unknown, failure: unknown): Error {
  return prefixed(
    `trouble configuring builtin ${kind} with config: \`\n${writeYaml(configuration)}\``,
    failure,
  );
}

/** Creates a step; errors show the configuration. */
function step(kind: PluginKind, configuration: unknown, make: () => Transformer): TransformerStep {
  try {
    return { kind, transform: make() };
  } catch (failure) {
    throw configurationError(kind, configuration, failure);
  }
}

export function transformerSteps(
  kustomization: Kustomization,
  config: TransformerConfig,
  context: PatchContext,
): readonly TransformerStep[] {
  const k = kustomization;
  const { namespace = '', namePrefix = '', nameSuffix = '' } = k;
  return [
    ...whenAny(k.patchesStrategicMerge, (paths) => [
      step('PatchStrategicMergeTransformer', { paths }, () => strategicMergeTransformer(paths, '', context)),
    ]),
    ...(k.patches ?? []).map((patch) =>
      step('PatchTransformer', shownPatch(patch), () => patchTransformer(patch, context)),
    ),
    ...whenGiven(namespace, () =>
      transformer('NamespaceTransformer', setNamespaces(namespace, config.namespace ?? [])),
    ),
    ...whenGiven(namePrefix, () =>
      transformer('PrefixTransformer', addPrefix(namePrefix, config.namePrefix ?? [])),
    ),
    ...whenGiven(nameSuffix, () =>
      transformer('SuffixTransformer', addSuffix(nameSuffix, config.nameSuffix ?? [])),
    ),
    ...labelSteps(k, config),
    ...annotationSteps(k, config),
    ...(k.patchesJson6902 ?? []).map(({ target, path, patch }) => {
      const given = { ...defined({ target }), ...defined({ path }), ...(patch ? { jsonOp: patch } : {}) };
      return step('PatchJson6902Transformer', given, () => json6902Transformer(given, context));
    }),
    ...(k.replicas ?? []).map((replica) =>
      transformer('ReplicaCountTransformer', setReplicas(replica, config.replicas ?? [])),
    ),
    ...(k.images ?? []).map((image) =>
      transformer('ImageTagTransformer', setImages(image, config.images ?? [])),
    ),
    ...whenAny(k.replacements, (replacements) => [
      step('ReplacementTransformer', { Replacements: replacements }, () =>
        replacementTransformer(replacements, context.loader),
      ),
    ]),
  ];
}

const transformer = (kind: PluginKind, transform: Transformer): TransformerStep => ({ kind, transform });

const whenAny = <T>(
  items: readonly T[] | undefined,
  steps: (items: readonly T[]) => readonly TransformerStep[],
): readonly TransformerStep[] => (items === undefined || items.length === 0 ? [] : steps(items));

const whenGiven = (text: string, make: () => TransformerStep): readonly TransformerStep[] =>
  text === '' ? [] : [make()];

const defined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const shownPatch = ({ options, patch, path, target }: Patch): object =>
  defined({ options, patch: patch || undefined, path: path || undefined, target });

function labelSteps(
  { labels = [], commonLabels = {} }: Kustomization,
  config: TransformerConfig,
): readonly TransformerStep[] {
  if (labels.length === 0 && Object.keys(commonLabels).length === 0) return [];
  return [
    ...labels.map((entry) =>
      transformer('LabelTransformer', setEntries(entry.pairs ?? {}, labelSpecs(entry, config))),
    ),
    transformer('LabelTransformer', setEntries(commonLabels, config.commonLabels ?? [])),
  ];
}

function labelSpecs(entry: LabelEntry, config: TransformerConfig): readonly FieldSpec[] {
  const merge = (specs: readonly FieldSpec[], more: readonly FieldSpec[], context = '') => {
    try {
      return mergeFieldSpecs(specs, more);
    } catch (failure) {
      if (context !== '') throw prefixed(context, failure);
      throw prefixed('failed to merge labels', failure);
    }
  };
  const own = merge(entry.fields ?? [], config.labels ?? []);
  if (entry.includeSelectors) return merge(own, config.commonLabels ?? []);
  const withTemplates = entry.includeTemplates
    ? merge(own, config.templateLabels ?? [], 'failed to merge template fieldSpec')
    : own;
  return merge(withTemplates, [{ path: 'metadata/labels', create: true }]);
}

function annotationSteps(
  { commonAnnotations = {} }: Kustomization,
  config: TransformerConfig,
): readonly TransformerStep[] {
  if (Object.keys(commonAnnotations).length === 0) return [];
  return [
    transformer('AnnotationsTransformer', setEntries(commonAnnotations, config.commonAnnotations ?? [])),
  ];
}
