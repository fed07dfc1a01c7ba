/** The authorizers without rules: AlwaysAllow, AlwaysDeny, and the group that may do everything. */
import { mastersGroup } from '../user.ts';
import { allowed, noOpinion, type Authorizer } from './authorizer.ts';

export const alwaysAllow: Authorizer = { name: 'AlwaysAllow', decide: () => allowed };

export const alwaysDeny: Authorizer = {
  name: 'AlwaysDeny',
  decide: () => ({ kind: 'no-opinion', reason: 'Everything is forbidden.' }),
};

export const privilegedGroup: Authorizer = {
  name: 'system:masters',
  decide: ({ user }) => (user.groups.includes(mastersGroup) ? allowed : noOpinion),
};

/** Allows everybody to read these non-resource paths (`--authorization-always-allow-paths`). */
export function alwaysAllowPaths(paths: readonly string[]): Authorizer {
  const exact = new Set(paths.filter((path) => !path.endsWith('*')));
  const prefixes = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  return {
    name: 'always-allow-paths',
    decide({ isResourceRequest, path }) {
      if (isResourceRequest) return noOpinion;
      return exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix)) ? allowed : noOpinion;
    },
  };
}

export const alwaysAllowPathsDefault: readonly string[] = ['/healthz', '/readyz', '/livez'];
