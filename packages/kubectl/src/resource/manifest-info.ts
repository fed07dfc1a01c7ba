/** Converts the contents of a manifest to objects: determines kind, namespace and items. */
import { parseApiVersion, type KubeObject } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { typeMetaOfValue } from '@coxswain/schema/json/parsed.ts';
import { asError, NoKindMatch } from '../errors.ts';
import { isList, type Info } from './info.ts';
import type { Selection } from './selection.ts';

export function checkObject(document: unknown, source: string, isTyped = false): KubeObject {
  const problem = (text: string) => new Error(`unable to decode "${source}": ${text}`);
  if (isTyped) {
    try {
      typeMetaOfValue(document);
    } catch (failure) {
      throw problem(`couldn't get version/kind; json parse error: ${messageOf(failure)}`);
    }
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    const kind = Array.isArray(document) ? 'array' : typeof document === 'boolean' ? 'bool' : typeof document;
    throw problem(`json: cannot unmarshal ${kind} into Go value of type unstructured.detector`);
  }
  const object = document as Partial<KubeObject>;
  if (!object.kind) throw problem(`Object 'Kind' is missing in '${JSON.stringify(document)}'`);
  return { ...object, metadata: object.metadata ?? {} } as KubeObject;
}

/** Items of a list without a kind get the list's. */
export function itemsOf(list: { items: KubeObject[] } & Partial<KubeObject>): KubeObject[] {
  const kind = list.kind?.endsWith('List') && list.kind !== 'List' ? list.kind.slice(0, -4) : undefined;
  return list.items.map(
    (item) => ({ ...(kind ? { apiVersion: list.apiVersion, kind } : {}), ...item }) as KubeObject,
  );
}

/** The start of why a selection can't be watched. */
export const onlyOne = 'watch is only supported on individual resources and resource collections';

export async function infoOf(
  context: CommandContext,
  selection: Selection,
  object: KubeObject,
  source: string,
): Promise<Info | Error> {
  const name = object.metadata.name ?? '';
  const namespace = object.metadata.namespace ?? '';
  const info: Info = {
    mapping: undefined,
    name,
    namespace,
    source,
    subresource: selection.subresource ?? '',
    object,
  };
  if (selection.local) return info;
  if (selection.flatten === false && isList(object))
    return new Error(`${onlyOne}, but a list of resources is found`);
  const { group, version } = parseApiVersion(object.apiVersion ?? '');
  try {
    const mapping = await (await context.mapper()).forKind(group, object.kind ?? '', version);
    return { ...info, mapping: { ...mapping, version } };
  } catch (failure) {
    if (failure instanceof NoKindMatch) {
      return new Error(
        `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${source}": ${failure.message}\nensure CRDs are installed first`,
      );
    }
    return asError(failure);
  }
}

/** Sets the namespace of a namespaced object, and removes it from a cluster-scoped one. */
export function placedIn(selection: Selection, info: Info): Info | Error {
  if (info.object === undefined) return info;
  // Without a server, only objects that specify a namespace are assumed to be namespaced.
  if (info.mapping === undefined && info.namespace === '') return info;
  if (info.mapping !== undefined && !info.mapping.namespaced) {
    if (info.namespace === '') return info;
    const { namespace: _namespace, ...metadata } = info.object.metadata;
    return { ...info, namespace: '', object: { ...info.object, metadata } };
  }
  const wanted = selection.allNamespaces ? '' : selection.namespace;
  const namespace = info.namespace || wanted;
  if (selection.requireNamespace && wanted !== '' && namespace !== wanted) {
    return new Error(
      `the namespace from the provided object "${namespace}" does not match the namespace "${wanted}". You must pass '--namespace=${namespace}' to perform this operation.`,
    );
  }
  if (namespace === info.namespace || info.mapping === undefined) return { ...info, namespace };
  return { ...info, namespace, object: { ...info.object, metadata: { ...info.object.metadata, namespace } } };
}
