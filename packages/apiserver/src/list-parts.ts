/**
 * Encodes a list as head, items and tail. Items are bytes cached beside each object, so a list of unchanged objects
 * only costs their concatenation.
 */
import type { KubeObject, ListMeta } from '@coxswain/apimachinery';
import { encode, encodeListAround, encodeListItem } from '@coxswain/schema';
import type { ListParts } from './http/compression.ts';
import { utf8 } from './http/api-response.ts';
import type { ResourceScope } from './services/resource-scope.ts';
import type { Served, ServedList } from './rest/served.ts';

const nothing = utf8('');
const comma = utf8(',');
/** Items of a typed list omit their kind: the bytes before the rest are skipped without copying. */
const openBrace = utf8('{');
const commaBrace = utf8(',{');

/** The object in the endpoint's version. */
export const versioned = (scope: ResourceScope, object: KubeObject): KubeObject =>
  scope.identity ? object : scope.fromStorage(object);

/**
 * The object's JSON in the endpoint's version; for other versions than the stored one it is cached beside the object.
 */
export function jsonBytes(scope: ResourceScope, served: Served): Uint8Array {
  if (scope.identity && served.served !== undefined) return served.served;
  const make = (object: Served) => utf8(encode(scope.kind.type, versioned(scope, object.object)));
  return served.form === undefined ? make(served) : served.form(`json ${scope.kind.apiVersion}`, make);
}

/** The kind of the list: a CustomResourceDefinition may choose another name than `<Kind>List`. */
export const listKindOf = ({ kind: { listType } }: ResourceScope): string =>
  listType.name.slice(listType.name.lastIndexOf('.') + 1);

export const listMeta = (list: ServedList): ListMeta => ({
  ...(list.resourceVersion === '' ? undefined : { resourceVersion: list.resourceVersion }),
  ...(list.continue === undefined ? undefined : { continue: list.continue }),
  ...(list.remainingItemCount === undefined ? undefined : { remainingItemCount: list.remainingItemCount }),
});

/** @param items their JSON from {@link jsonBytes}; @param end what follows the list: a line break */
export function jsonListParts(
  scope: ResourceScope,
  list: ServedList,
  items: readonly Uint8Array[],
  end: string,
): ListParts {
  const { kind, apiVersion } = scope.kind;
  if (scope.itemsHaveKind) {
    // Custom resources are untyped upstream: members are sorted, and an empty `continue` is included.
    const { remainingItemCount, resourceVersion } = listMeta(list);
    const meta = JSON.stringify({ continue: list.continue ?? '', remainingItemCount, resourceVersion });
    return {
      head: utf8(`{"apiVersion":"${apiVersion}","items":[`),
      items,
      skipped: 0,
      firstSeparator: nothing,
      separator: comma,
      tail: utf8(`],"kind":"${listKindOf(scope)}","metadata":${meta}}${end}`),
    };
  }
  const meta = JSON.stringify(listMeta(list));
  return {
    head: utf8(`{"kind":"${listKindOf(scope)}","apiVersion":"${apiVersion}","metadata":${meta},"items":[`),
    items,
    skipped: `{"kind":"${kind}","apiVersion":"${apiVersion}",`.length,
    firstSeparator: openBrace,
    separator: commaBrace,
    tail: utf8(`]}${end}`),
  };
}

/** An item of a protobuf list; cached beside the object. */
export function protobufBytes(scope: ResourceScope, served: Served): Uint8Array {
  const { apiVersion, type } = scope.kind;
  const make = (item: Served) => encodeListItem(type, versioned(scope, item.object));
  return served.form === undefined ? make(served) : served.form(`protobuf ${apiVersion}`, make);
}

/** @param items from {@link protobufBytes} */
export function protobufListParts(
  scope: ResourceScope,
  list: ServedList,
  items: readonly Uint8Array[],
): ListParts {
  const { apiVersion, listType } = scope.kind;
  const itemsBytes = items.reduce((sum, { length }) => sum + length, 0);
  const empty = { kind: listKindOf(scope), apiVersion, metadata: listMeta(list) };
  const around = encodeListAround(listType, empty, itemsBytes);
  return { ...around, items, skipped: 0, firstSeparator: nothing, separator: nothing };
}
