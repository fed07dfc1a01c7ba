/**
 * Normalizes a kubeconfig for printing and writing: known fields in order, entries sorted by name, empty ones omitted.
 */
import type { ExecConfig, Kubeconfig } from '@coxswain/client/kubeconfig/kubeconfig.ts';

const clusterMembers = [
  'server',
  'tls-server-name',
  'insecure-skip-tls-verify',
  'certificate-authority',
  'certificate-authority-data',
  'proxy-url',
  'disable-compression',
  'extensions',
];

const userMembers = [
  'client-certificate',
  'client-certificate-data',
  'client-key',
  'client-key-data',
  'token',
  'tokenFile',
  'as',
  'as-uid',
  'as-groups',
  'as-user-extra',
  'username',
  'password',
  'auth-provider',
  'exec',
  'extensions',
];

const contextMembers = ['cluster', 'user', 'namespace', 'extensions'];

export function orderedConfig(config: Kubeconfig) {
  return {
    kind: 'Config',
    apiVersion: 'v1',
    ...preferencesOf(config.preferences),
    clusters: entries(config.clusters, 'cluster', clusterMembers, ['server']),
    users: entries(config.users, 'user', userMembers, []),
    contexts: entries(config.contexts, 'context', contextMembers, ['cluster', 'user']),
    'current-context': config['current-context'] ?? '',
    ...(config.extensions === undefined ? {} : { extensions: config.extensions }),
  };
}

/** Undefined if there are no preferences. */
function preferencesOf(preferences: Kubeconfig['preferences']) {
  const { colors, extensions } = preferences ?? {};
  if (!colors && !extensions) return {};
  return { preferences: { ...(colors ? { colors } : {}), ...(extensions ? { extensions } : {}) } };
}

function entries(
  list: readonly { readonly name: string }[] | null | undefined,
  member: string,
  members: readonly string[],
  required: readonly string[],
) {
  if (!list?.length) return null;
  const byName = new Map(
    list.map((entry) => [entry.name, (entry as unknown as Record<string, unknown>)[member]]),
  );
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({
      name,
      [member]: ordered((value ?? {}) as Record<string, unknown>, members, required),
    }));
}

function ordered(
  value: Readonly<Record<string, unknown>>,
  members: readonly string[],
  required: readonly string[],
) {
  const kept: Record<string, unknown> = {};
  for (const member of members) {
    if (required.includes(member)) kept[member] = value[member] ?? '';
    else if (!isEmpty(value[member]))
      kept[member] = member === 'exec' ? orderedExec(value[member] as ExecConfig) : value[member];
  }
  return kept;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

const orderedExec = ({
  command = '',
  args = null,
  env = null,
  apiVersion,
  installHint,
  provideClusterInfo = false,
  interactiveMode,
}: ExecConfig) => ({
  command,
  args,
  env,
  ...(apiVersion ? { apiVersion } : {}),
  ...(installHint ? { installHint } : {}),
  provideClusterInfo,
  ...(interactiveMode ? { interactiveMode } : {}),
});
