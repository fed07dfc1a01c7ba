/** A conversion webhook may change only labels and annotations in the metadata; everything else is restored. */
import {
  metadataPath,
  validateAnnotations,
  validateLabels,
} from '@coxswain/api/meta/object-meta-validation.ts';
import { Errors } from '@coxswain/api/meta/checks.ts';
import { aggregateFieldErrors, type KubeObject } from '@coxswain/apimachinery';

type Texts = Readonly<Record<string, string>>;

/** @throws Error with upstream's message */
export function withRestoredMetadata(original: KubeObject, converted: KubeObject): KubeObject {
  const given: unknown = converted.metadata;
  if (given === undefined) throw new Error('missing metadata in converted object');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new Error(`invalid metadata of type ${goTypeName(given)} in converted object`);
  }
  const { labels: _, annotations: __, ...kept } = original.metadata;
  const metadata = { ...kept } as KubeObject['metadata'];
  for (const field of ['labels', 'annotations'] as const) {
    const texts = textsIn(field, (given as Readonly<Record<string, unknown>>)[field]);
    if (texts === undefined) continue;
    if (!isSame(original.metadata[field], texts)) check(field, texts);
    metadata[field] = { ...texts };
  }
  return { ...converted, metadata };
}

function textsIn(field: string, value: unknown): Texts | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new Error(`invalid metadata.${field} of type ${goTypeName(value)} in converted object`);
  }
  for (const [key, text] of Object.entries(value)) {
    if (typeof text === 'string') continue;
    throw new Error(
      `metadata.${field}[${key}] must be a string, but is ${goTypeName(text)} in converted object`,
    );
  }
  return value as Texts;
}

function isSame(before: Texts = {}, after: Texts): boolean {
  const names = Object.keys(after);
  return names.length === Object.keys(before).length && names.every((name) => before[name] === after[name]);
}

function check(field: 'labels' | 'annotations', texts: Texts): void {
  const errors = new Errors();
  if (field === 'labels') validateLabels(texts, metadataPath, field, errors);
  else validateAnnotations(texts, metadataPath, errors);
  if (errors.length === 0) return;
  // Upstream's name for the field.
  const named = errors.map((error) =>
    field === 'labels' ? error : { ...error, field: error.field.replace(/annotations$/, 'annotation') },
  );
  throw new Error(aggregateFieldErrors(named));
}

function goTypeName(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'object' ? 'map[string]interface {}' : typeof value;
}
