/** Moves parameters that all operations of a path share to the path. */

import { compareParameters, type OpenApiParameter } from './parameters.ts';
import type { Operation } from './operations.ts';

export interface SharedParameters {
  readonly shared: readonly OpenApiParameter[];
  /** The remaining parameters of each operation, in order. */
  readonly own: readonly (readonly OpenApiParameter[])[];
}

export function sharedParameters(operations: readonly Operation[]): SharedParameters {
  const keys = operations.map(({ parameters }) => new Set(parameters.map(keyOf)));
  const isShared = (parameter: OpenApiParameter): boolean => keys.every((set) => set.has(keyOf(parameter)));
  return {
    shared: (operations[0]?.parameters ?? []).filter(isShared).toSorted(compareParameters),
    own: operations.map(({ parameters }) =>
      parameters.filter((parameter) => !isShared(parameter)).toSorted(compareParameters),
    ),
  };
}

const keyOf = ({ name, in: place, type, of }: OpenApiParameter): string => `${place} ${name} ${type} ${of}`;
