import type { Kind } from '@coxswain/schema';

/** The original's name for the type of its internal version, which some messages show: `core.ConfigMap`. */
export const internalTypeName = ({ group, kind }: Kind): string =>
  `${group === '' ? 'core' : group.split('.')[0]!}.${kind}`;
