/** The node that a user is, by name and group. */
import type { UserInfo } from '@coxswain/apiserver';

const namePrefix = 'system:node:';
const nodesGroup = 'system:nodes';

/** Undefined for users that are not nodes; empty for a node without a name. */
export const nodeNameOf = ({ name, groups }: UserInfo): string | undefined =>
  name.startsWith(namePrefix) && groups.includes(nodesGroup) ? name.slice(namePrefix.length) : undefined;
