/** JSON merge patch (RFC 7386) as upstream applies it. */

import { isRawNumber } from '@coxswain/schema/scalars/raw-number.ts';
import { define } from './deep-clone.ts';
import { deepEqual } from './deep-equal.ts';

/**
 * The merged document; neither argument is modified, and unchanged parts are shared. null removes a member. Nulls are
 * also dropped from new values, even inside lists, but kept in a list that replaces an object.
 * @throws Error `Invalid JSON Patch` when the patch is neither an object nor a list
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return withoutNulls(patch);
  if (!isMembers(patch)) throw new Error('Invalid JSON Patch');
  return isMembers(document) ? mergeMembers(document, patch) : withoutNulls(patch);
}

/** The smallest merge patch that turns `original` into `modified`; `{}` when they are equal. */
export function createMergePatch(original: unknown, modified: unknown): Record<string, unknown> {
  if (!isMembers(original) || !isMembers(modified)) throw new Error('Invalid JSON Document');
  const patch: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(modified)) {
    const before = Object.hasOwn(original, key) ? original[key] : undefined;
    if (isMembers(before) && isMembers(value)) {
      const inner = createMergePatch(before, value);
      if (Object.keys(inner).length > 0) define(patch, key, inner);
    } else if (!Object.hasOwn(original, key) || !deepEqual(before, value)) define(patch, key, value);
  }
  for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key)) define(patch, key, null);
  return patch;
}

type Members = Readonly<Record<string, unknown>>;

function mergeMembers(current: Members, patch: Members): Members {
  const merged: Record<string, unknown> = { ...current };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else define(merged, key, mergeValue(Object.hasOwn(current, key) ? current[key] : undefined, value));
  }
  return merged;
}

function mergeValue(current: unknown, patch: unknown): unknown {
  if (!isMembers(current)) return withoutNulls(patch);
  return isMembers(patch) ? mergeMembers(current, patch) : patch;
}

/** Removes null members at every depth; null items of lists are kept. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMembers(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value))
    if (member !== null) define(kept, key, withoutNulls(member));
  return kept;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
