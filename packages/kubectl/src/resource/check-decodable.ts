/** Checks whether a document of a manifest is readable by upstream's rules, before it is used. */
import { parseApiVersion, type KubeObject } from '@coxswain/apimachinery';
import { builtInKind } from '../typed.ts';

/** Groups for which upstream's kubectl has no types. */
const untyped: ReadonlySet<string> = new Set([
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'auditregistration.k8s.io',
  'imagepolicy.k8s.io',
  'settings.k8s.io',
]);

/** @throws Error with Go's message for invalid metadata */
export async function checkMetadata(document: KubeObject): Promise<void> {
  if (hasUsualMetadata(document)) return;
  const { decodeValue } = await import('@coxswain/schema/decode.ts');
  const { ObjectMeta } = await import('@coxswain/schema/meta.ts');
  const { optional, struct } = await import('@coxswain/schema/type.ts');
  // Its name appears in messages.
  const shape = struct('resource.metadataOnlyObject', { metadata: optional(1, ObjectMeta) });
  decodeValue(shape, { metadata: document.metadata });
}

/** A fast check for typical metadata, without the types: only names, and maps of text. */
function hasUsualMetadata({ metadata }: KubeObject): boolean {
  return Object.entries(metadata).every(([key, value]) => {
    if (key === 'name' || key === 'namespace' || key === 'generateName') return typeof value === 'string';
    if (key !== 'labels' && key !== 'annotations') return false;
    return (
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((one) => typeof one === 'string')
    );
  });
}

/** @throws Error for kinds without a type, and for objects that don't match it */
export async function checkTyped(object: KubeObject): Promise<void> {
  const { apiVersion = '', kind = '' } = object;
  if (apiVersion === '') throw new Error(`Object 'apiVersion' is missing in '${JSON.stringify(object)}'`);
  const isList = kind.endsWith('List');
  const known = untyped.has(parseApiVersion(apiVersion).group)
    ? undefined
    : await builtInKind({ ...object, kind: isList ? kind.slice(0, -'List'.length) : kind });
  if (isList && (known !== undefined || (apiVersion === 'v1' && kind === 'List'))) return;
  if (known === undefined)
    throw new Error(
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    );
  const { decodeValue } = await import('@coxswain/schema/decode.ts');
  decodeValue(known.type, object);
}
