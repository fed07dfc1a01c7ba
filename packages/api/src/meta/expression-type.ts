import type { CelType } from '@coxswain/cel';

/** The run-time names of types: `null_type`, `list(int)`. */
export const typeName = ({ name, parameters }: CelType): string =>
  parameters.length === 0 ? name : `${name}(${parameters.map(typeName).join(', ')})`;
