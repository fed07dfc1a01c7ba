/** Objects reduced to their metadata, which metadata informers and garbage collectors request. */
import type { KubeObject, ListMeta } from '@coxswain/apimachinery';
import { PartialObjectMetadata } from '@coxswain/api/meta/v1/partial-object-metadata.ts';
import { encode, encodeListAround, encodeListItem, type Kind } from '@coxswain/schema';
import type { ListParts } from '../http/compression.ts';
import { utf8 } from '../http/api-response.ts';
import type { Media } from '../negotiation/media-type.ts';
import type { Transform } from '../negotiation/negotiate.ts';
import type { Served } from '../rest/served.ts';

export interface OfKind {
  readonly kind: Kind;
  readonly object: KubeObject;
}

export function partialObject({ version }: Transform, object: KubeObject, { behaviour }: Kind): OfKind {
  const kind = kinds[version].one;
  const metadata = metadataAlone(object, behaviour);
  return { kind, object: { kind: kind.kind, apiVersion: kind.apiVersion, metadata } };
}

/** As in upstream's internal form, in which some annotations are fields. */
export function metadataAlone(
  { metadata }: KubeObject,
  { annotationsOfFields }: Kind['behaviour'],
): KubeObject['metadata'] {
  const { annotations, ...rest } = metadata;
  if (annotationsOfFields === undefined || annotations === undefined) return metadata;
  const kept = Object.entries(annotations).filter(([name]) => !annotationsOfFields.includes(name));
  return kept.length === 0 ? rest : { ...metadata, annotations: Object.fromEntries(kept) };
}

/** A list of them, one for each of `objects`. */
export function partialObjectList(
  transform: Transform,
  objects: readonly KubeObject[],
  metadata: ListMeta,
  kind: Kind,
): OfKind {
  const { list } = kinds[transform.version];
  // As upstream encodes a list to which nothing was appended.
  const isEmpty = objects.length === 0;
  const items = isEmpty ? null : objects.map((object) => partialObject(transform, object, kind).object);
  return {
    kind: list,
    object: { kind: list.kind, apiVersion: list.apiVersion, metadata, items } as unknown as KubeObject,
  };
}

/** An item of such a list. */
export function partialBytes(media: Media, transform: Transform, item: Served, kind: Kind): Uint8Array {
  const { one } = kinds[transform.version];
  const { object } = partialObject(transform, item.object, kind);
  return media === 'protobuf' ? encodeListItem(one.type, object) : utf8(encode(one.type, object));
}

/** @param items from {@link partialBytes}; @param end what follows the JSON: a line break */
export function partialListParts(
  media: Media,
  { version }: Transform,
  items: readonly Uint8Array[],
  metadata: ListMeta,
  end: string,
): ListParts {
  const { list } = kinds[version];
  const { kind, apiVersion } = list;
  if (media === 'protobuf') {
    const empty = { kind, apiVersion, metadata };
    const bytes = items.reduce((sum, { length }) => sum + length, 0);
    const around = encodeListAround(list.type, empty, bytes);
    return { ...around, items, skipped: 0, firstSeparator: nothing, separator: nothing };
  }
  const isEmpty = items.length === 0;
  return {
    head: utf8(
      `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":${isEmpty ? 'null' : '['}`,
    ),
    items,
    skipped: 0,
    firstSeparator: nothing,
    separator: comma,
    tail: utf8(`${isEmpty ? '' : ']'}}${end}`),
  };
}

const nothing = utf8('');
const comma = utf8(',');

const kindsOf = (version: string) => {
  const one: Kind = { ...(PartialObjectMetadata as Kind), version, apiVersion: `meta.k8s.io/${version}` };
  const list = { ...one, kind: 'PartialObjectMetadataList', type: one.listType } as Kind;
  return { one, list };
};

const kinds = { v1: kindsOf('v1'), v1beta1: kindsOf('v1beta1') };
