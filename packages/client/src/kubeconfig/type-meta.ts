/** Checks that a document is an object, before its kind is examined. */
import { jsonKindOf } from '@coxswain/schema/json/parsed.ts';

/** Returns upstream's message for a value that can't have `apiVersion` and `kind`; undefined if it can. */
export function typeMetaFailure(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    return unmarshalFailure(jsonKindOf(value), `Go value of type ${typeMetaType}`);
  }
  for (const member of ['apiVersion', 'kind']) {
    const found = (value as Record<string, unknown>)[member];
    if (found === undefined || found === null || typeof found === 'string') continue;
    return unmarshalFailure(jsonKindOf(found), `Go struct field .${member} of type string`);
  }
  return undefined;
}

const unmarshalFailure = (what: string, where: string): string =>
  `couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into ${where}`;

/** Go's name of the anonymous struct into which only these two fields are decoded. */
const typeMetaType = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
