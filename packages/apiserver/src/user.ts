/** The user of a request, as authentication determines it and authorization, admission and audit see it. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const anonymousUser: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** The group whose members no rule can deny anything. */
export const mastersGroup = 'system:masters';

export const unauthenticatedGroup = anonymousUser.groups[0]!;

export const authenticatedGroup = 'system:authenticated';
