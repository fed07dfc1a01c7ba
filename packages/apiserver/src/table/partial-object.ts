/** Only the metadata of objects: what informers of metadata, and garbage collectors, ask for. */
import type { KubeObject, ListMeta } from '@coxswain/apimachinery';
import { PartialObjectMetadata } from '@coxswain/api/meta/v1/partial-object-metadata.ts';
import type { Kind } from '@coxswain/schema';
import type { Transform } from '../negotiation/negotiate.ts';

export interface OfKind {
  readonly kind: Kind;
  readonly object: KubeObject;
}

export function partialObject({ version }: Transform, object: KubeObject, { behaviour }: Kind): OfKind {
  const kind = kinds[version].one;
  const metadata = metadataAlone(object, behaviour);
  return { kind, object: { kind: kind.kind, apiVersion: kind.apiVersion, metadata } };
}

/** As the original's internal form has it, in which some annotations are fields. */
export function metadataAlone(
  { metadata }: KubeObject,
  { annotationsOfFields }: Kind['behaviour'],
): KubeObject['metadata'] {
  const { annotations, ...rest } = metadata;
  if (annotationsOfFields === undefined || annotations === undefined) return metadata;
  const kept = Object.entries(annotations).filter(([name]) => !annotationsOfFields.includes(name));
  return kept.length === 0 ? rest : { ...metadata, annotations: Object.fromEntries(kept) };
}

export function partialObjectList(
  { version }: Transform,
  objects: readonly KubeObject[],
  metadata: ListMeta,
  { behaviour }: Kind,
): OfKind {
  const { one, list } = kinds[version];
  const items = objects.map((object) => ({
    kind: one.kind,
    apiVersion: one.apiVersion,
    metadata: metadataAlone(object, behaviour),
  }));
  return {
    kind: list,
    object: { kind: list.kind, apiVersion: list.apiVersion, metadata, items } as unknown as KubeObject,
  };
}

const kindsOf = (version: string) => {
  const one: Kind = { ...(PartialObjectMetadata as Kind), version, apiVersion: `meta.k8s.io/${version}` };
  const list = { ...one, kind: 'PartialObjectMetadataList', type: one.listType } as Kind;
  return { one, list };
};

const kinds = { v1: kindsOf('v1'), v1beta1: kindsOf('v1beta1') };
