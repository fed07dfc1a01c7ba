/** The fields of kustomization files and of the files to which they refer. */
import type { Shape, StructShape } from '@coxswain/apimachinery/go-decode.ts';

const list = (shape: Shape): Shape => ({ list: shape });
type Names = Readonly<Record<string, string>>;
const struct = (
  name: string,
  fields: Readonly<Record<string, Shape>>,
  embedded: Names = {},
): StructShape => ({
  struct: name,
  fields,
  embedded,
});

const all = (names: readonly string[], embedded: string): Names =>
  Object.fromEntries(names.map((name) => [name, embedded]));
const gvkNames = ['group', 'version', 'kind'];
const inGvk = all(gvkNames, 'Gvk');
const inId = { ...all(gvkNames, 'ResId.Gvk'), ...all(['name', 'namespace'], 'ResId') };
const inGenerator = {
  ...all(['namespace', 'name', 'behavior', 'options'], 'GeneratorArgs'),
  ...all(['literals', 'files', 'envs', 'env'], 'GeneratorArgs.KvPairSources'),
};
const inReplacement = all(['source', 'targets', 'sourceValue'], 'Replacement');

const strings = list('string');
const stringMap: Shape = { map: 'string' };

const gvk = { group: 'string', version: 'string', kind: 'string' } as const;
const id = { ...gvk, name: 'string', namespace: 'string' } as const;

const fieldSpec = struct('FieldSpec', { ...gvk, path: 'string', create: 'bool' }, inGvk);
export const fieldSpecs = list(fieldSpec);

const selector = struct('Selector', { ...id, annotationSelector: 'string', labelSelector: 'string' }, inId);

const patch = struct('Patch', {
  path: 'string',
  patch: 'string',
  target: selector,
  options: struct('PatchArgs', { allowNameChange: 'bool', allowKindChange: 'bool' }),
});

const image = struct('Image', {
  name: 'string',
  newName: 'string',
  tagSuffix: 'string',
  newTag: 'string',
  digest: 'string',
});

const replica = struct('Replica', { name: 'string', count: 'int64' });

const fieldOptions = struct('FieldOptions', {
  delimiter: 'string',
  index: 'int',
  encoding: 'string',
  create: 'bool',
});

const replacementFields = {
  source: struct('SourceSelector', { ...id, fieldPath: 'string', options: fieldOptions }, inId),
  targets: list(
    struct('TargetSelector', {
      select: selector,
      reject: list(selector),
      fieldPaths: strings,
      options: fieldOptions,
    }),
  ),
  sourceValue: 'string',
} as const;

export const replacementShape = struct('Replacement', replacementFields);

const generatorOptions = struct('GeneratorOptions', {
  labels: stringMap,
  annotations: stringMap,
  disableNameSuffixHash: 'bool',
  immutable: 'bool',
});

const generatorArguments = {
  namespace: 'string',
  name: 'string',
  behavior: 'string',
  literals: strings,
  files: strings,
  envs: strings,
  env: 'string',
  options: generatorOptions,
} as const;

const metadata = struct('ObjectMeta', {
  name: 'string',
  namespace: 'string',
  labels: stringMap,
  annotations: stringMap,
});

const sortOptions = struct('SortOptions', {
  order: 'string',
  legacySortOptions: struct('LegacySortOptions', { orderFirst: strings, orderLast: strings }),
});

const helmChart = struct('HelmChart', {
  name: 'string',
  version: 'string',
  repo: 'string',
  releaseName: 'string',
  namespace: 'string',
  additionalValuesFiles: strings,
  valuesFile: 'string',
  valuesInline: { map: 'any' },
  valuesMerge: 'string',
  includeCRDs: 'bool',
  skipHooks: 'bool',
  apiVersions: strings,
  kubeVersion: 'string',
  nameTemplate: 'string',
  skipTests: 'bool',
  debug: 'bool',
  devel: 'bool',
});

const helmChartArguments = struct('HelmChartArgs', {
  chartName: 'string',
  chartVersion: 'string',
  chartRepoUrl: 'string',
  chartHome: 'string',
  chartRepoName: 'string',
  helmBin: 'string',
  helmHome: 'string',
  values: 'string',
  valuesLocal: { map: 'any' },
  valuesMerge: 'string',
  releaseName: 'string',
  releaseNamespace: 'string',
  extraArgs: strings,
});

export const kustomizationShape = struct('Kustomization', {
  kind: 'string',
  apiVersion: 'string',
  metadata,
  openapi: stringMap,
  namePrefix: 'string',
  nameSuffix: 'string',
  namespace: 'string',
  commonLabels: stringMap,
  labels: list(
    struct('Label', {
      pairs: stringMap,
      includeSelectors: 'bool',
      includeTemplates: 'bool',
      fields: fieldSpecs,
    }),
  ),
  commonAnnotations: stringMap,
  patchesStrategicMerge: strings,
  patchesJson6902: list(patch),
  patches: list(patch),
  images: list(image),
  imageTags: list(image),
  replacements: list(struct('ReplacementField', { ...replacementFields, path: 'string' }, inReplacement)),
  replicas: list(replica),
  vars: list(
    struct('Var', {
      name: 'string',
      objref: struct('Target', { apiVersion: 'string', ...id }, inGvk),
      fieldref: struct('FieldSelector', { fieldPath: 'string' }),
    }),
  ),
  sortOptions,
  resources: strings,
  components: strings,
  crds: strings,
  bases: strings,
  configMapGenerator: list(struct('ConfigMapArgs', generatorArguments, inGenerator)),
  secretGenerator: list(struct('SecretArgs', { ...generatorArguments, type: 'string' }, inGenerator)),
  helmGlobals: struct('HelmGlobals', { chartHome: 'string', configHome: 'string' }),
  helmCharts: list(helmChart),
  helmChartInflationGenerator: list(helmChartArguments),
  generatorOptions,
  configurations: strings,
  generators: strings,
  transformers: strings,
  validators: strings,
  buildMetadata: strings,
});

export const transformerConfigShape = struct('TransformerConfig', {
  namePrefix: fieldSpecs,
  nameSuffix: fieldSpecs,
  namespace: fieldSpecs,
  commonLabels: fieldSpecs,
  labels: fieldSpecs,
  templateLabels: fieldSpecs,
  commonAnnotations: fieldSpecs,
  nameReference: list(struct('NameBackReferences', { ...gvk, fieldSpecs }, inGvk)),
  varReference: fieldSpecs,
  images: fieldSpecs,
  replicas: fieldSpecs,
});

/** Files that configure one built-in generator or transformer, by their kind. */
export const pluginShapes = {
  AnnotationsTransformer: struct('AnnotationsTransformerPlugin', { annotations: stringMap, fieldSpecs }),
  ConfigMapGenerator: struct('ConfigMapGeneratorPlugin', { metadata, ...generatorArguments }),
  HashTransformer: struct('HashTransformerPlugin', {}),
  HelmChartInflationGenerator: struct('HelmChartInflationGeneratorPlugin', {}),
  IAMPolicyGenerator: struct('IAMPolicyGeneratorPlugin', {
    cloud: 'string',
    kubernetesService: struct('KubernetesService', { namespace: 'string', name: 'string' }),
    serviceAccount: struct('ServiceAccount', { name: 'string', projectId: 'string' }),
  }),
  ImageTagTransformer: struct('ImageTagTransformerPlugin', { imageTag: image, fieldSpecs }),
  LabelTransformer: struct('LabelTransformerPlugin', { labels: stringMap, fieldSpecs }),
  NamespaceTransformer: struct('NamespaceTransformerPlugin', {
    metadata,
    fieldSpecs,
    unsetOnly: 'bool',
    setRoleBindingSubjects: 'string',
  }),
  PatchJson6902Transformer: struct('PatchJson6902TransformerPlugin', {
    target: selector,
    path: 'string',
    jsonOp: 'string',
  }),
  PatchStrategicMergeTransformer: struct('PatchStrategicMergeTransformerPlugin', {
    paths: strings,
    patches: 'string',
  }),
  PatchTransformer: patch,
  PrefixSuffixTransformer: struct('PrefixTransformerPlugin', {
    prefix: 'string',
    suffix: 'string',
    fieldSpecs,
  }),
  PrefixTransformer: struct('PrefixTransformerPlugin', { prefix: 'string', fieldSpecs }),
  ReplacementTransformer: struct('ReplacementTransformerPlugin', {
    replacements: list(struct('ReplacementField', { ...replacementFields, path: 'string' }, inReplacement)),
  }),
  ReplicaCountTransformer: struct('ReplicaCountTransformerPlugin', { replica, fieldSpecs }),
  SecretGenerator: struct('SecretGeneratorPlugin', { metadata, ...generatorArguments, type: 'string' }),
  SuffixTransformer: struct('SuffixTransformerPlugin', { suffix: 'string', fieldSpecs }),
  ValueAddTransformer: struct('ValueAddTransformerPlugin', {
    value: 'string',
    targets: list(struct('builtins.Target', { selector, fieldPath: 'string', filePathPosition: 'int' })),
    targetFilePath: 'string',
  }),
} as const;

export type PluginKind = keyof typeof pluginShapes;
