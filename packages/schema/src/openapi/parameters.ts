/** The parameters of requests. Descriptions are the caller's matter, as everywhere in OpenAPI here. */

import { shapeOf } from '../shape.ts';
import { resolved, time } from '../type.ts';
import type { StructType, Type } from '../type.ts';

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
}

const query = (name: string, type: OpenApiParameter['type'] = 'string'): OpenApiParameter => ({
  name,
  in: 'query',
  type,
});
const path = (name: string): OpenApiParameter => ({ name, in: 'path', type: 'string' });

export const nameParameter = path('name');
export const namespaceParameter = path('namespace');
export const pathParameter = path('path');
export const prettyParameter = query('pretty');
export const resourceVersionParameter = query('resourceVersion');

export const writeParameters: readonly OpenApiParameter[] = [
  query('dryRun'),
  query('fieldManager'),
  query('fieldValidation'),
];

export const patchParameters: readonly OpenApiParameter[] = [...writeParameters, query('force', 'boolean')];

const selection: readonly OpenApiParameter[] = [
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('sendInitialEvents', 'boolean'),
  query('shardSelector'),
  query('timeoutSeconds', 'integer'),
];

export const listParameters: readonly OpenApiParameter[] = [
  query('allowWatchBookmarks', 'boolean'),
  ...selection,
  query('watch', 'boolean'),
];

export const deleteParameters: readonly OpenApiParameter[] = [
  query('dryRun'),
  query('gracePeriodSeconds', 'integer'),
  query('ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy'),
];

export const deleteCollectionParameters: readonly OpenApiParameter[] = [...selection, ...deleteParameters];

export const compareParameters = (a: OpenApiParameter, b: OpenApiParameter): number =>
  a.name === b.name ? (a.in < b.in ? -1 : 1) : a.name < b.name ? -1 : 1;

/** Options that are sent in the query, such as PodLogOptions: a parameter for each member, but for times. */
export const queryParametersOf = (options: StructType): readonly OpenApiParameter[] =>
  shapeOf(options)
    .members.filter(({ name, field }) => !['kind', 'apiVersion'].includes(name) && field.type !== time)
    .map(({ name, field }) => query(name, parameterTypeOf(field.type)));

/** Members that may be given several times are described as one value. */
function parameterTypeOf(type: Type): OpenApiParameter['type'] {
  const actual = resolved(type);
  if (actual.form === 'list') return parameterTypeOf(actual.element);
  if (actual.form !== 'scalar') return 'string';
  if (actual.scalar === 'bool') return 'boolean';
  return actual.scalar === 'int32' || actual.scalar === 'int64' ? 'integer' : 'string';
}
