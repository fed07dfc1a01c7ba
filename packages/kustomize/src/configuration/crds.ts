/** Derives field specifications from the OpenAPI definitions of custom kinds (`crds`). */
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { prefixed } from '../failure.ts';
import type { Loader } from '../loading/loader.ts';
import type { FieldSpec } from './field-spec.ts';
import type { NameReference } from './name-reference.ts';
import {
  emptyTransformerConfig,
  mergeTransformerConfigs,
  type TransformerConfig,
} from './transformer-config.ts';

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function loadCrdConfig(loader: Loader, paths: readonly string[]): TransformerConfig {
  return paths
    .map((path) => configOf(loader.loadText(path), path))
    .reduce(mergeTransformerConfigs, emptyTransformerConfig);
}

function configOf(text: string, path: string): TransformerConfig {
  let definitions: Json;
  try {
    definitions = objectOf(readYaml(text));
  } catch (failure) {
    throw prefixed(`unable to parse open API definition from '${path}'`, failure);
  }
  let config = emptyTransformerConfig;
  for (const name of Object.keys(definitions)) {
    const properties = propertiesOf(definitions, name);
    if (!['kind', 'apiVersion', 'metadata'].every((field) => Object.hasOwn(properties, field))) continue;
    const kind = name.split('.').at(-1) as string;
    for (const found of visit({ definitions, kind }, name, [], new Set())) {
      config = mergeTransformerConfigs(config, found);
    }
  }
  return config;
}

const propertiesOf = (definitions: Json, name: string): Json =>
  objectOf(objectOf(objectOf(definitions[name])['Schema'])['properties']);

interface Walk {
  readonly definitions: Json;
  readonly kind: string;
}

function* visit(
  walk: Walk,
  name: string,
  path: readonly string[],
  open: ReadonlySet<string>,
): Generator<TransformerConfig> {
  if (open.has(name)) return;
  for (const [field, value] of Object.entries(propertiesOf(walk.definitions, name))) {
    const property = objectOf(value);
    const here = [...path, field];
    yield* markersOf(walk.kind, property, here);
    const reference = textOf(property['$ref']);
    if (reference !== undefined) yield* visit(walk, reference, here, new Set([...open, name]));
  }
}

function* markersOf(kind: string, property: Json, path: readonly string[]): Generator<TransformerConfig> {
  const spec = (...more: string[]): FieldSpec => ({ kind, path: [...path, ...more].join('/') });
  const has = (marker: string) => textOf(property[marker]) !== undefined;
  if (has('x-kubernetes-annotation')) yield { commonAnnotations: [spec()] };
  if (has('x-kubernetes-label-selector')) yield { commonLabels: [spec()] };
  if (has('x-kubernetes-identity')) yield { namePrefix: [spec()] };
  const version = textOf(property['x-kubernetes-object-ref-api-version']);
  const target = textOf(property['x-kubernetes-object-ref-kind']);
  if (version === undefined || target === undefined) return;
  const nameKey = textOf(property['x-kubernetes-object-ref-name-key']) ?? 'name';
  const reference: NameReference = { kind: target, version, fieldSpecs: [spec(nameKey)] };
  yield { nameReference: [reference] };
}
