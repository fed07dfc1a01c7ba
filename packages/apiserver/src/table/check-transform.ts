/** PartialObjectMetadata is for objects, PartialObjectMetadataList for lists; the other way is refused. */
import { StatusError } from '@coxswain/apimachinery';
import type { Negotiated } from '../negotiation/negotiate.ts';
import type { ResourceScope } from '../resource-scope.ts';
import { internalTypeName } from './internal-type-name.ts';

export function checkTransformOfObject({ transform }: Negotiated, scope: ResourceScope): void {
  if (transform?.kind !== 'PartialObjectMetadataList') return;
  if (scope.kind.type.isCustom) throw new StatusError(500, '', 'content is not a list');
  throw notAcceptable(
    `you requested PartialObjectMetadataList, but the requested object is not a list (*${internalTypeName(scope.kind)})`,
  );
}

export function checkTransformOfList({ transform }: Negotiated, scope: ResourceScope): void {
  if (transform?.kind !== 'PartialObjectMetadata') return;
  throw notAcceptable(
    `you requested PartialObjectMetadata, but the requested object is a list (*${listTypeName(scope)})`,
  );
}

const listTypeName = ({ kind }: ResourceScope): string =>
  kind.type.isCustom ? 'unstructured.UnstructuredList' : `${internalTypeName(kind)}List`;

const notAcceptable = (message: string) => new StatusError(406, 'NotAcceptable', message);
