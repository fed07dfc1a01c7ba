import type { GroupKind } from '@coxswain/apimachinery';

/** Upstream's name of the internal version's type, which some messages contain: `core.ConfigMap`. */
export const internalTypeName = ({ group, kind }: GroupKind): string =>
  `${group === '' ? 'core' : group.split('.')[0]!}.${kind}`;
