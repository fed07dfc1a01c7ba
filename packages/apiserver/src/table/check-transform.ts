/**
 * PartialObjectMetadata is for objects, PartialObjectMetadataList for lists; the opposite is refused, after the
 * operation itself.
 */
import { StatusError } from '@coxswain/apimachinery';
import type { Transform } from '../negotiation/negotiate.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import { internalTypeName } from './internal-type-name.ts';

/** @throws StatusError 406, or 500 for custom resources */
export function checkTransform({ kind }: Transform, scope: ResourceScope, isList: boolean): void {
  if (isList && kind === 'PartialObjectMetadata') {
    throw notAcceptable(
      `you requested PartialObjectMetadata, but the requested object is a list (*${listTypeName(scope)})`,
    );
  }
  if (isList || kind !== 'PartialObjectMetadataList') return;
  if (scope.kind.type.isCustom) throw new StatusError(500, '', 'content is not a list');
  throw notAcceptable(
    `you requested PartialObjectMetadataList, but the requested object is not a list (*${typeName(scope)})`,
  );
}

/** Scales of custom resources have no internal version. Events of both groups share one. */
const typeName = ({ kind, isCustom, storage }: ResourceScope): string =>
  isCustom ? `${kind.version}.${kind.kind}` : internalTypeName(storage.kind);

const listTypeName = ({ kind, storage }: ResourceScope): string =>
  kind.type.isCustom ? 'unstructured.UnstructuredList' : `${internalTypeName(storage.kind)}List`;

export const notAcceptable = (message: string) => new StatusError(406, 'NotAcceptable', message);
