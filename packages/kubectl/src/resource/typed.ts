/** Objects of built-in kinds as the original's types hold them. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema/kind.ts';

/**
 * With the fields that are always printed. The object itself for kinds that nobody knows, and for what can't be
 * read as its kind.
 */
export async function typedForm(object: KubeObject): Promise<KubeObject> {
  const kind = await builtInKind(object);
  if (kind === undefined) return object;
  const { decodeValue } = await import('@coxswain/schema/decode.ts');
  try {
    return decodeValue(kind.type, object).object as KubeObject;
  } catch {
    return object;
  }
}

/** What describes a built-in kind, in any of its versions. */
export async function builtInKind({ apiVersion, kind }: KubeObject): Promise<Kind | undefined> {
  const { groupVersionFolders, kindsOf } = await import('@coxswain/api/group-versions.ts');
  return groupVersionFolders
    .flatMap(kindsOf)
    .find((one) => one.apiVersion === apiVersion && one.kind === kind);
}

/** Without the members that its kind has not; those that are missing stay so. */
export async function withKnownFields(object: KubeObject): Promise<KubeObject> {
  const typed = await typedForm(object);
  return typed === object ? object : (knownOf(object, typed) as KubeObject);
}

function knownOf(value: unknown, typed: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(typed))
    return value.map((item, index) => knownOf(item, typed[index]));
  if (!isObject(value) || !isObject(typed)) return value;
  return Object.fromEntries(
    Object.entries(value)
      // The typed form leaves empty values out.
      .filter(([key, member]) => Object.hasOwn(typed, key) || isEmpty(member))
      .map(([key, member]) => [key, knownOf(member, typed[key])]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);
