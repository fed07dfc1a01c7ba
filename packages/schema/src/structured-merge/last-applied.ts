/** Conflicts between kubectl's client-side apply and server-side apply. */

import { compare } from './compare.ts';
import { ApplyConflictError } from './conflict.ts';
import { difference, hasPath, type FieldSet } from '../field-set.ts';
import { ownedFields } from './owned-fields.ts';
import { validateConfiguration } from './validate.ts';
import type { StructType } from '../type.ts';

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * kubectl's own client-side apply is no reason for a conflict: fields that still have the value of its annotation may
 * change. @throws ApplyConflictError for the others
 */
export function checkAgainstLastApplied(
  type: StructType,
  apiVersion: string,
  live: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> | null } | null },
  error: ApplyConflictError,
): void {
  const text = live.metadata?.annotations?.[lastAppliedAnnotation];
  const lastApplied = parsedObject(text);
  if (lastApplied === undefined || lastApplied['apiVersion'] !== apiVersion) throw error;
  let allowed: FieldSet;
  try {
    validateConfiguration(type, lastApplied);
    const { changed, removed } = compare(type, lastApplied, live);
    allowed = difference(difference(ownedFields(type, lastApplied), changed), removed);
  } catch {
    throw error;
  }
  const rest = error.conflicts.filter(({ path }) => !hasPath(allowed, path));
  if (rest.length > 0) throw new ApplyConflictError(rest);
}

function parsedObject(text: string | undefined): Record<string, unknown> | undefined {
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
