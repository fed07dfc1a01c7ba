/** All field specifications of a build: the built-in ones, those of `configurations` and those of `crds`. */
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { prefixed, within } from '../failure.ts';
import type { Loader } from '../loading/loader.ts';
import { compareGvk } from '../resources/gvk.ts';
import { decodeGo } from '@coxswain/apimachinery/go-decode.ts';
import {
  commonAnnotationSpecs,
  commonLabelSpecs,
  imageSpecs,
  namespaceSpecs,
  replicaSpecs,
  templateLabelSpecs,
} from './default-field-specs.ts';
import { nameReferenceSpecs } from './default-name-references.ts';
import { varReferenceSpecs } from './default-var-references.ts';
import { mergeFieldSpecs, type FieldSpec } from './field-spec.ts';
import { mergeNameReferences, type NameReference } from './name-reference.ts';
import { transformerConfigShape } from './shapes.ts';

const specLists = [
  'namePrefix',
  'nameSuffix',
  'namespace',
  'commonAnnotations',
  'commonLabels',
  'labels',
  'templateLabels',
  'varReference',
  'images',
  'replicas',
] as const;

export type TransformerConfig = Readonly<
  Partial<Record<(typeof specLists)[number], readonly FieldSpec[]>>
> & {
  readonly nameReference?: readonly NameReference[];
};

export const emptyTransformerConfig: TransformerConfig = {};

const nameSpecs: readonly FieldSpec[] = [{ path: 'metadata/name' }];

const sorted = (config: TransformerConfig): TransformerConfig =>
  Object.fromEntries(Object.entries(config).map(([list, specs]) => [list, [...specs].sort(compareGvk)]));

const defaultConfig: TransformerConfig = sorted({
  namePrefix: nameSpecs,
  nameSuffix: nameSpecs,
  commonLabels: commonLabelSpecs,
  templateLabels: templateLabelSpecs,
  commonAnnotations: commonAnnotationSpecs,
  namespace: namespaceSpecs,
  varReference: varReferenceSpecs,
  nameReference: nameReferenceSpecs,
  images: imageSpecs,
  replicas: replicaSpecs,
});

/** The built-in configuration merged with the files. */
export function loadTransformerConfig(loader: Loader, paths: readonly string[]): TransformerConfig {
  const loaded = paths.map((path) => parseTransformerConfig(loader.loadText(path)));
  return mergeTransformerConfigs(
    defaultConfig,
    loaded.reduce(mergeTransformerConfigs, emptyTransformerConfig),
  );
}

function parseTransformerConfig(text: string): TransformerConfig {
  const json = within('error converting YAML to JSON', () => readYaml(text, { strict: true }));
  try {
    return sorted(
      decodeGo(json, transformerConfigShape, { strict: true, lenientStrings: true }) as TransformerConfig,
    );
  } catch (failure) {
    throw prefixed('error unmarshaling JSON: while decoding JSON', failure);
  }
}

const contexts: Readonly<Record<string, string>> = {
  namePrefix: 'NamePrefix',
  nameSuffix: 'NameSuffix',
  namespace: 'NameSpace',
  commonAnnotations: 'CommonAnnotations',
  commonLabels: 'CommonLabels',
  labels: 'Labels',
  templateLabels: 'TemplateLabels',
  varReference: 'VarReference',
  nameReference: 'NameReference',
  images: 'Images',
  replicas: 'Replicas',
};

/** @throws Error `failed to merge NamePrefix fieldSpec: conflicting fieldspecs` */
export function mergeTransformerConfigs(
  config: TransformerConfig,
  more: TransformerConfig,
): TransformerConfig {
  const merged: Record<string, readonly FieldSpec[] | readonly NameReference[]> = {};
  for (const list of specLists) {
    merged[list] = within(`failed to merge ${contexts[list] as string} fieldSpec`, () =>
      mergeFieldSpecs(config[list] ?? [], more[list] ?? []),
    );
  }
  merged['nameReference'] = within('failed to merge NameReference fieldSpec', () =>
    mergeNameReferences(config.nameReference ?? [], more.nameReference ?? []),
  );
  return merged as TransformerConfig;
}
