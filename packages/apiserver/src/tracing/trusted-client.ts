import { mastersGroup, type UserInfo } from '../user.ts';

const monitoringGroup = 'system:monitoring';

/** Who may decide that a request is traced; others could make the server trace all that they ask. */
export const isTrustedWithTraces = ({ groups }: UserInfo): boolean =>
  groups.some((group) => group === mastersGroup || group === monitoringGroup);
