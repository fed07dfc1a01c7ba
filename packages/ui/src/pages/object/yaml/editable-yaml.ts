/** Converts an object to editable text and back. */

import { holdsSecrets, withoutSecretValues } from '@coxswain/api/core/secret-values.ts';
import { isStatusError, type GroupVersionResource, type KubeObject } from '@coxswain/apimachinery';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { inLanguages } from '../../../language/language.ts';

const text = inLanguages(
  {
    noObject: 'The text is not an object',
    otherKind: (kind: string) => `apiVersion and kind must remain ${kind}`,
    otherName: 'The name and the namespace of an object cannot be changed',
  },
  {
    noObject: '文本不是一个对象',
    otherKind: (kind: string) => `apiVersion 和 kind 必须保持为 ${kind}`,
    otherName: '对象的名称和命名空间不能更改',
  },
);

/** Omits the managed fields, which are half of most objects. */
export function shownYaml(object: KubeObject): string {
  const { managedFields: _, ...metadata } = object.metadata;
  return writeYaml({ ...object, metadata });
}

/**
 * One of several states to compare, without its resource version, which always differs, and without values of Secrets.
 */
export function yamlOfState(kind: GroupVersionResource, state: KubeObject): string {
  const shown = holdsSecrets(kind) ? withoutSecretValues(state) : state;
  const { resourceVersion: _, ...metadata } = shown.metadata;
  return shownYaml({ ...shown, metadata });
}

/** The part that server-side apply accepts: without fields that only the server writes. */
export function editableYaml(object: KubeObject): string {
  const {
    managedFields: _1,
    uid: _2,
    resourceVersion: _3,
    creationTimestamp: _4,
    generation: _5,
    selfLink: _6,
    ...metadata
  } = object.metadata;
  const { status: _7, ...rest } = object as KubeObject & { readonly status?: unknown };
  return writeYaml({ ...rest, metadata });
}

/** @throws Error with a message that says what is wrong with the text */
export function objectOf(yaml: string, { apiVersion, kind, metadata }: KubeObject): KubeObject {
  const value = readYaml(yaml) as KubeObject | null;
  if (typeof value !== 'object' || value === null) throw new Error(text().noObject);
  const { name, namespace } = value.metadata ?? {};
  if (value.apiVersion !== apiVersion || value.kind !== kind)
    throw new Error(text().otherKind(`${apiVersion} ${kind}`));
  if (name !== metadata.name || namespace !== metadata.namespace) throw new Error(text().otherName);
  return value;
}

export interface FieldConflict {
  /** `.spec.replicas` */
  readonly field: string;
  readonly manager: string;
}

/** The managers of the fields that conflict with an apply; undefined for other failures. */
export function conflictsOf(failure: unknown): readonly FieldConflict[] | undefined {
  if (!isStatusError(failure) || failure.code !== 409) return undefined;
  const causes = failure.status.details?.causes ?? [];
  const conflicts = causes
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field = '', message = '' }) => ({ field, manager: /"([^"]*)"/.exec(message)?.[1] ?? message }));
  return conflicts.length === 0 ? undefined : conflicts;
}
