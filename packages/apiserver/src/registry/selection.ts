/** Translates the selectors of a list or watch for the cache: a scope, a predicate, an indexed field. */
import type { KubeObject } from '@coxswain/apimachinery';
import { exactFieldMatch } from '@coxswain/apimachinery/field-selector.ts';
import { exactMatch } from '@coxswain/apimachinery/label-selector.ts';
import type { CachedObject } from '@coxswain/storage/cacher/cached-object.ts';
import type { ListOptions } from '../rest/options.ts';
import { directoryOf, type KeySpace } from './keys.ts';

export interface Selection {
  /** A directory or a single key. */
  readonly scope: string;
  readonly match: ((object: CachedObject<KubeObject>) => boolean) | undefined;
  readonly field: { readonly field: string; readonly value: string } | undefined;
  readonly label: { readonly label: string; readonly value: string } | undefined;
}

/** @param indexed the fields that have an index */
export function selectionOf(
  keys: KeySpace,
  namespace: string,
  options: ListOptions,
  indexed: readonly string[],
): Selection {
  const { labelSelector, fieldSelector } = options;
  const name = fieldSelector.everything ? undefined : exactFieldMatch(fieldSelector, 'metadata.name');
  const directory = directoryOf(keys, namespace);
  // A continued list reads the directory, as upstream.
  const goesOn = !options.watch && options.continue !== '';
  const isOneKey =
    name !== undefined &&
    name !== '' &&
    !goesOn &&
    !name.includes('/') &&
    (!keys.namespaced || namespace !== '');
  return {
    scope: isOneKey ? `${directory}${name}` : directory,
    match: matchOf(options, isOneKey),
    field: labelSelector.everything && isOneKey ? undefined : indexedField(options, indexed),
    label: isOneKey ? undefined : exactLabel(options),
  };
}

function matchOf(
  { labelSelector, fieldSelector, fieldOf }: ListOptions,
  isOneKey: boolean,
): Selection['match'] {
  const onlyName = isOneKey && fieldSelector.terms.length === 1;
  const byFields = fieldSelector.everything || onlyName ? undefined : fieldSelector;
  const byLabels = labelSelector.everything ? undefined : labelSelector;
  if (byFields === undefined && byLabels === undefined) return undefined;
  return (object) =>
    (byLabels === undefined || byLabels.matches(object.labels)) &&
    (byFields === undefined ||
      byFields.matches((field) => object.fields[field] ?? fieldOf?.(object.object, field) ?? ''));
}

function indexedField({ fieldSelector }: ListOptions, indexed: readonly string[]): Selection['field'] {
  if (fieldSelector.everything) return undefined;
  for (const field of indexed) {
    const value = exactFieldMatch(fieldSelector, field);
    if (value !== undefined) return { field, value };
  }
  return undefined;
}

/** The label that the selector restricts to a single value, for the cache's index. */
function exactLabel({ labelSelector }: ListOptions): Selection['label'] {
  const exact = exactMatch(labelSelector);
  return exact && { label: exact.key, value: exact.value };
}
