import { mastersGroup, type UserInfo } from '../user.ts';

const monitoringGroup = 'system:monitoring';

/**
 * The users that may decide whether a request is traced; others could make the server trace everything that they send.
 */
export const isTrustedWithTraces = ({ groups }: UserInfo): boolean =>
  groups.some((group) => group === mastersGroup || group === monitoringGroup);
