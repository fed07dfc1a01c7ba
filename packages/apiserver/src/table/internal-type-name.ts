import type { GroupKind } from '@coxswain/apimachinery';

/** Upstream's name of the internal version's type, which some messages contain: `core.ConfigMap`. */
export const internalTypeName = ({ group, kind }: GroupKind): string =>
  `${coreGroups.has(group) ? 'core' : group.split('.')[0]!}.${kind}`;

/** Events of both groups have one internal type. */
const coreGroups: ReadonlySet<string> = new Set(['', 'events.k8s.io']);
