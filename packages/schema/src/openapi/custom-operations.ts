/** The operations of custom resources: those of built-in ones with upstream's differences. */

import {
  groupVersionPath,
  operationsOf,
  type OpenApiGroupVersion,
  type Operation,
  type PathOperations,
} from './operations.ts';
import { listParameters, prettyParameter, resourceVersionParameter } from './parameters.ts';

const mediaTypes = ['application/json', 'application/yaml'];

/** Without discovery and the deprecated watch paths. */
export function customOperationsOf(groupVersion: OpenApiGroupVersion): PathOperations {
  const root = `${groupVersionPath(groupVersion)}/`;
  return new Map(
    [...operationsOf(groupVersion)]
      .filter(([path]) => path !== root && !path.startsWith(`${root}watch/`))
      .map(([path, operations]) => [path, operations.map(customOperation)]),
  );
}

function customOperation(operation: Operation): Operation {
  const { action, parameters, body } = operation;
  const custom = {
    ...operation,
    produces: mediaTypes,
    consumes: mediaTypes,
    ...(body !== undefined && { body: { ...body, types: mediaTypes } }),
  };
  switch (action) {
    case 'get':
      return { ...custom, parameters: [...parameters, resourceVersionParameter] };
    case 'patch': {
      const types = body!.types.filter((type) => !type.includes('strategic'));
      const responses = operation.responses.filter(({ status }) => status === 200);
      return { ...custom, body: { ...body!, types }, consumes: types, responses };
    }
    case 'deletecollection': {
      const { body: _, ...withoutBody } = custom;
      const own = parameters.filter((parameter) => parameter.in === 'path');
      return { ...withoutBody, parameters: [...own, ...listParameters, prettyParameter] };
    }
    default:
      return custom;
  }
}
