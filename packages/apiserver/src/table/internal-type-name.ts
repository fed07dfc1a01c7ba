import type { GroupKind } from '@coxswain/apimachinery';

/** The original's name for the type of its internal version, which some messages show: `core.ConfigMap`. */
export const internalTypeName = ({ group, kind }: GroupKind): string =>
  `${group === '' ? 'core' : group.split('.')[0]!}.${kind}`;
