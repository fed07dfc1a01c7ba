import type { CelType } from '@coxswain/cel';

/** As types call themselves when an expression runs: `null_type`, `list(int)`. */
export const typeName = ({ name, parameters }: CelType): string =>
  parameters.length === 0 ? name : `${name}(${parameters.map(typeName).join(', ')})`;
