/** The kustomization file: read, validated, and converted to its current form. */
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { within } from '../failure.ts';
import type { Loader } from '../loading/loader.ts';
import type { Gvk } from '../resources/gvk.ts';
import type { StringMap } from '../resources/metadata.ts';
import type { Selector } from '../resources/resource-map.ts';
import type { IdSelector } from '../resources/resource-id.ts';
import { decodeGo } from '@coxswain/apimachinery/go-decode.ts';
import type { FieldSpec } from './field-spec.ts';
import { kustomizationShape } from './shapes.ts';

export interface GeneratorOptions {
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  readonly disableNameSuffixHash?: boolean;
  readonly immutable?: boolean;
}

export interface GeneratorArguments {
  readonly namespace?: string;
  readonly name?: string;
  readonly behavior?: string;
  readonly literals?: readonly string[];
  readonly files?: readonly string[];
  readonly envs?: readonly string[];
  readonly env?: string;
  readonly options?: GeneratorOptions;
  /** For Secrets. */
  readonly type?: string;
}

export interface Patch {
  readonly path?: string;
  readonly patch?: string;
  readonly target?: Selector;
  readonly options?: { readonly allowNameChange?: boolean; readonly allowKindChange?: boolean };
}

export interface Image {
  readonly name?: string;
  readonly newName?: string;
  readonly tagSuffix?: string;
  readonly newTag?: string;
  readonly digest?: string;
}

export interface Replica {
  readonly name?: string;
  readonly count?: number;
}

export interface LabelEntry {
  readonly pairs?: StringMap;
  readonly includeSelectors?: boolean;
  readonly includeTemplates?: boolean;
  readonly fields?: readonly FieldSpec[];
}

export interface ReplacementOptions {
  readonly delimiter?: string;
  readonly index?: number;
  readonly create?: boolean;
}

export interface ReplacementTarget {
  readonly select?: Selector;
  readonly reject?: readonly Selector[];
  readonly fieldPaths?: readonly string[];
  readonly options?: ReplacementOptions;
}

export interface Replacement {
  readonly source?: IdSelector & { readonly fieldPath?: string; readonly options?: ReplacementOptions };
  readonly targets?: readonly ReplacementTarget[];
  readonly sourceValue?: string;
}

export interface Variable {
  readonly name?: string;
  readonly objref?: Gvk & {
    readonly apiVersion?: string;
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly fieldref?: { readonly fieldPath?: string };
}

export interface SortOptions {
  readonly order?: string;
  readonly legacySortOptions?: {
    readonly orderFirst?: readonly string[];
    readonly orderLast?: readonly string[];
  };
}

type Strings = readonly string[];

export interface Kustomization {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: object;
  readonly openapi?: StringMap;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly namespace?: string;
  readonly commonLabels?: StringMap;
  readonly labels?: readonly LabelEntry[];
  readonly commonAnnotations?: StringMap;
  readonly patchesStrategicMerge?: Strings;
  readonly patchesJson6902?: readonly Patch[];
  readonly patches?: readonly Patch[];
  readonly images?: readonly Image[];
  readonly imageTags?: readonly Image[];
  readonly replacements?: readonly (Replacement & { readonly path?: string })[];
  readonly replicas?: readonly Replica[];
  readonly vars?: readonly Variable[];
  readonly sortOptions?: SortOptions;
  readonly resources?: Strings;
  readonly components?: Strings;
  readonly crds?: Strings;
  readonly bases?: Strings;
  readonly configMapGenerator?: readonly GeneratorArguments[];
  readonly secretGenerator?: readonly GeneratorArguments[];
  readonly helmGlobals?: object;
  readonly helmCharts?: readonly object[];
  readonly helmChartInflationGenerator?: readonly object[];
  readonly generatorOptions?: GeneratorOptions;
  readonly configurations?: Strings;
  readonly generators?: Strings;
  readonly transformers?: Strings;
  readonly validators?: Strings;
  readonly buildMetadata?: Strings;
}

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

export interface LoadedKustomization {
  readonly kustomization: Kustomization;
  readonly fileName: string;
}

/**
 * Reads the kustomization of a directory.
 * @param warn receives a line for each deprecated field
 * @throws Error if there is none, more than one, or an invalid one
 */
export function loadKustomization(loader: Loader, warn: (line: string) => void): LoadedKustomization {
  const { text, fileName } = findFile(loader);
  const read = parseKustomization(text);
  for (const [field, warning] of deprecations) if (read[field] !== undefined) warn(warning);
  const kustomization = withoutLegacyFields(read);
  if (Object.entries(kustomization).every(([field, value]) => isTypeField(field) || value === undefined)) {
    throw new Error('kustomization.yaml is empty');
  }
  const problems = typeProblems(kustomization);
  if (problems.length > 0) {
    throw new Error(`Failed to read kustomization file under ${loader.root}:\n${problems.join('\n')}`);
  }
  return { kustomization, fileName };
}

function findFile(loader: Loader): { text: string; fileName: string } {
  const found: { text: string; fileName: string }[] = [];
  for (const fileName of fileNames) {
    try {
      found.push({ text: loader.loadText(fileName), fileName });
    } catch {
      // A file that cannot be read counts as missing.
    }
  }
  const [first] = found;
  if (first === undefined) {
    const [yaml, yml, bare] = fileNames;
    throw new Error(`unable to find one of '${yaml}', '${yml}' or '${bare}' in directory '${loader.root}'`);
  }
  if (found.length > 1) throw new Error(`Found multiple kustomization files under: ${loader.root}\n`);
  return first;
}

function parseKustomization(text: string): Kustomization {
  return within('invalid Kustomization', () => {
    const json = readYaml(text);
    return (decodeGo(json, kustomizationShape, { strict: true }) ?? {}) as Kustomization;
  });
}

const runEditFix = "Run 'kustomize edit fix' to update your Kustomization automatically.";
const deprecated = (field: string, instead: string, more = ''): string =>
  `# Warning: '${field}' is deprecated. Please use '${instead}' instead. ${more}${runEditFix}`;

const deprecations: readonly (readonly [field: keyof Kustomization, warning: string])[] = [
  ['bases', deprecated('bases', 'resources')],
  ['commonLabels', deprecated('commonLabels', 'labels')],
  ['imageTags', deprecated('imageTags', 'images')],
  ['patchesJson6902', deprecated('patchesJson6902', 'patches')],
  ['patchesStrategicMerge', deprecated('patchesStrategicMerge', 'patches')],
  ['vars', deprecated('vars', 'replacements', '[EXPERIMENTAL] ')],
];

const isTypeField = (field: string): boolean => field === 'kind' || field === 'apiVersion';

function withoutLegacyFields(read: Kustomization): Kustomization {
  const { bases, imageTags, helmChartInflationGenerator, ...kept } = read;
  const joined = <T>(items: readonly T[] | undefined, more: readonly T[] | undefined) =>
    more === undefined ? items : [...(items ?? []), ...more];
  const kind = read.kind || 'Kustomization';
  return {
    ...kept,
    kind,
    apiVersion: read.apiVersion || versionOf(kind),
    ...optional('resources', joined(read.resources, bases)),
    ...optional('images', joined(read.images, imageTags)),
    ...optional('configMapGenerator', read.configMapGenerator?.map(withEnvironmentFiles)),
    ...optional('secretGenerator', read.secretGenerator?.map(withEnvironmentFiles)),
    ...optional('helmCharts', joined(read.helmCharts, helmChartInflationGenerator)),
  };
}

const optional = (field: keyof Kustomization, value: unknown) =>
  value === undefined ? {} : { [field]: value };

const withEnvironmentFiles = ({ env = '', ...kept }: GeneratorArguments): GeneratorArguments =>
  env === '' ? kept : { ...kept, envs: [...(kept.envs ?? []), env] };

const versionOf = (kind: string): string =>
  kind === 'Component' ? 'kustomize.config.k8s.io/v1alpha1' : 'kustomize.config.k8s.io/v1beta1';

function typeProblems({ kind = '', apiVersion = '' }: Kustomization): string[] {
  const problems: string[] = [];
  if (kind !== 'Kustomization' && kind !== 'Component')
    problems.push('kind should be Kustomization or Component');
  const required = versionOf(kind);
  if (apiVersion !== required) problems.push(`apiVersion for ${kind} should be ${required}`);
  return problems;
}
