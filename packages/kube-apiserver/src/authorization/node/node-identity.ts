/** Which node a user is, by name and group. */
import type { UserInfo } from '@coxswain/apiserver';

const namePrefix = 'system:node:';
const nodesGroup = 'system:nodes';

/** Undefined for whoever isn't a node; empty for a node that doesn't say which. */
export const nodeNameOf = ({ name, groups }: UserInfo): string | undefined =>
  name.startsWith(namePrefix) && groups.includes(nodesGroup) ? name.slice(namePrefix.length) : undefined;
