/** What is read must be an object before its kind can be asked for. */
import { jsonKindOf } from '@coxswain/schema/json/parsed.ts';

/** The original's complaint about a value that has no room for `apiVersion` and `kind`; undefined for none. */
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

/** Go's name for the anonymous struct that only these two are decoded into. */
const typeMetaType = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
