/** The parameters of requests. The caller supplies their descriptions, as for all definitions. */

import { definitionName } from './names.ts';
import { shapeOf } from '../shape.ts';
import { resolved, time, type StructType, type Type } from '../type.ts';
import type { DescriptionOf } from './definitions.ts';

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  /** The definition of which it is a member, for the table of descriptions. */
  readonly of?: string;
  readonly description?: string;
}

type Choice = Omit<OpenApiParameter, 'in' | 'of'>;

const choice = (name: string, type: OpenApiParameter['type'] = 'string'): Choice => ({ name, type });

const choicesOf = (options: string, choices: readonly Choice[]): readonly OpenApiParameter[] =>
  choices.map(({ name, type }) => ({ name, in: 'query', type, of: definitionName(options) }));

/** The key of descriptions of parameters that are not members of options. */
export const plainParameters = 'parameters';

export const nameParameterOf = ({ kind }: { readonly kind: string }): OpenApiParameter => ({
  name: 'name',
  in: 'path',
  type: 'string',
  description: `name of the ${kind}`,
});
export const namespaceParameter: OpenApiParameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  of: plainParameters,
};
export const pathParameter: OpenApiParameter = {
  name: 'path',
  in: 'path',
  type: 'string',
  of: plainParameters,
};
export const prettyParameter: OpenApiParameter = {
  name: 'pretty',
  in: 'query',
  type: 'string',
  of: plainParameters,
};

const writing: readonly Choice[] = [choice('dryRun'), choice('fieldManager'), choice('fieldValidation')];

export const createParameters = choicesOf('meta/v1.CreateOptions', writing);
export const updateParameters = choicesOf('meta/v1.UpdateOptions', writing);
export const patchParameters = choicesOf('meta/v1.PatchOptions', [...writing, choice('force', 'boolean')]);

const selection = choicesOf('meta/v1.ListOptions', [
  choice('continue'),
  choice('fieldSelector'),
  choice('labelSelector'),
  choice('limit', 'integer'),
  choice('resourceVersion'),
  choice('resourceVersionMatch'),
  choice('sendInitialEvents', 'boolean'),
  choice('shardSelector'),
  choice('timeoutSeconds', 'integer'),
]);

export const resourceVersionParameter = selection.find(({ name }) => name === 'resourceVersion')!;

const watching = choicesOf('meta/v1.ListOptions', [
  choice('allowWatchBookmarks', 'boolean'),
  choice('watch', 'boolean'),
]);

export const listParameters: readonly OpenApiParameter[] = [...selection, ...watching];

export const deleteParameters = choicesOf('meta/v1.DeleteOptions', [
  choice('dryRun'),
  choice('gracePeriodSeconds', 'integer'),
  choice('ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'),
  choice('orphanDependents', 'boolean'),
  choice('propagationPolicy'),
]);

export const deleteCollectionParameters: readonly OpenApiParameter[] = [...selection, ...deleteParameters];

export const compareParameters = (a: OpenApiParameter, b: OpenApiParameter): number =>
  a.name === b.name ? (a.in < b.in ? -1 : 1) : a.name < b.name ? -1 : 1;

/** Options that are sent in the query, such as PodLogOptions: one parameter for each member except times. */
export const queryParametersOf = (options: StructType): readonly OpenApiParameter[] =>
  choicesOf(
    options.name,
    shapeOf(options)
      .members.filter(({ name, field }) => !['kind', 'apiVersion'].includes(name) && field.type !== time)
      .map(({ name, field }) => choice(name, parameterTypeOf(field.type))),
  );

/** Repeatable members are described as single values. */
function parameterTypeOf(type: Type): OpenApiParameter['type'] {
  const actual = resolved(type);
  if (actual.form === 'list') return parameterTypeOf(actual.element);
  if (actual.form !== 'scalar') return 'string';
  if (actual.scalar === 'bool') return 'boolean';
  return actual.scalar === 'int32' || actual.scalar === 'int64' ? 'integer' : 'string';
}

/** `{description: …}` of a parameter that has one. */
export function saidOf(
  { name, of, description }: OpenApiParameter,
  descriptionOf: DescriptionOf | undefined,
): { readonly description?: string } {
  const said = description ?? (of === undefined ? undefined : descriptionOf?.(of, name));
  return said ? { description: said } : {};
}
