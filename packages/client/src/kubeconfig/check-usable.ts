/** Checks whether a cluster and a user of a kubeconfig can be used, and collects all problems. */

import { aggregateText, goQuote } from '@coxswain/apimachinery';
import type { ExecConfig, KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';

/**
 * Returns why a file can't be opened, such as `open /x: no such file or directory`; undefined if it can.
 * @internal
 */
export type OpenFailure = (file: string) => string | undefined;

/** @internal */
export const emptyKubeconfigText =
  'no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

/** Upstream's ConfigurationInvalid. */
export class InvalidKubeconfig extends Error {
  override readonly name = 'InvalidKubeconfig';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid configuration: ${aggregateText([...problems])}`);
    this.problems = problems;
  }
}

interface Choice {
  readonly clusterName: string;
  readonly cluster: KubeconfigCluster;
  readonly userName: string;
  readonly user: KubeconfigUser;
  /** The missing context. */
  readonly lostContext: string | undefined;
  /** Whether an option names a missing cluster. */
  readonly lostCluster: boolean;
}

/**
 * @throws InvalidKubeconfig
 * @internal
 */
export function checkUsable(choice: Choice, openFailure?: OpenFailure): void {
  const read = openFailure ?? (() => undefined);
  const problems = [
    ...(choice.lostContext === undefined ? [] : [contextNotFound(choice.lostContext)]),
    ...userProblems(choice, read),
  ];
  const empty = !choice.lostCluster && Object.values(choice.cluster).every((member) => !member);
  if (empty && problems.length === 0) throw new InvalidKubeconfig([emptyKubeconfigText]);
  problems.push(...(empty ? ['cluster has no server defined'] : clusterProblems(choice, read)));
  if (problems.length > 0) throw new InvalidKubeconfig(problems);
}

/** @internal */
export const contextNotFound = (name: string): string =>
  `context was not found for specified context: ${name}`;

function clusterProblems({ cluster, clusterName }: Choice, openFailure: OpenFailure): string[] {
  const problems: string[] = [];
  if (!cluster.server) {
    problems.push(
      clusterName === ''
        ? 'default cluster has no server defined'
        : `no server found for cluster ${goQuote(clusterName)}`,
    );
  }
  const proxyProblem = proxyUrlProblem(cluster['proxy-url'] ?? '');
  if (proxyProblem !== undefined) {
    const url = goQuote(withoutPassword(cluster['proxy-url'] ?? ''));
    problems.push(`invalid 'proxy-url' ${url} for cluster ${goQuote(clusterName)}: ${proxyProblem}`);
  }
  const authority = cluster['certificate-authority'];
  if (authority && cluster['certificate-authority-data']) {
    problems.push(
      `certificate-authority-data and certificate-authority are both specified for ${clusterName}. certificate-authority-data will override.`,
    );
  }
  problems.push(...unreadable('certificate-authority', authority, clusterName, openFailure));
  return problems;
}

/** As Go prints URLs in errors. */
const withoutPassword = (url: string): string => url.replace(/(\/\/[^/@:]*):[^/@]*@/, '$1:xxxxx@');

function proxyUrlProblem(text: string): string | undefined {
  if (text === '') return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (['http', 'https', 'socks5'].includes(scheme)) {
    return URL.canParse(text) ? undefined : `could not parse: ${withoutPassword(text)}`;
  }
  return `unsupported scheme ${goQuote(scheme)}, must be http, https, or socks5`;
}

function unreadable(
  what: string,
  file: string | undefined,
  name: string,
  openFailure: OpenFailure,
): string[] {
  const failure = file ? openFailure(file) : undefined;
  return failure === undefined ? [] : [`unable to read ${what} ${file} for ${name} due to ${failure}`];
}

function userProblems({ user, userName }: Choice, openFailure: OpenFailure): string[] {
  const methods = [
    ...(user.token ? ['token'] : []),
    ...(user.username || user.password ? ['basicAuth'] : []),
  ];
  return [
    ...certificateProblems(user, userName, openFailure),
    ...(user.exec ? execProblems(user.exec, user, userName) : []),
    ...(methods.length > 1
      ? [
          `more than one authentication method found for ${userName}; found [${methods.join(' ')}], only one is allowed`,
        ]
      : []),
    ...(impersonatesNobody(user)
      ? [`requesting uid, groups or user-extra for ${userName} without impersonating a user`]
      : []),
  ];
}

const impersonatesNobody = (user: KubeconfigUser): boolean =>
  !user.as &&
  Boolean(user['as-uid'] || user['as-groups']?.length || Object.keys(user['as-user-extra'] ?? {}).length > 0);

function certificateProblems(user: KubeconfigUser, name: string, openFailure: OpenFailure): string[] {
  const { 'client-certificate': certificate, 'client-key': key } = user;
  const { 'client-certificate-data': certificateData, 'client-key-data': keyData } = user;
  if (!certificate && !certificateData) return [];
  const problems: string[] = [];
  if (certificate && certificateData) {
    problems.push(
      `client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`,
    );
  }
  if (key && keyData) {
    problems.push(
      `client-key-data and client-key are both specified for ${name}; client-key-data will override`,
    );
  }
  if (!key && !keyData) {
    problems.push(
      `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`,
    );
  }
  return [
    ...problems,
    ...unreadable('client-cert', certificate, name, openFailure),
    ...unreadable('client-key', key, name, openFailure),
  ];
}

const interactiveModes: readonly (string | undefined)[] = ['Never', 'IfAvailable', 'Always'];

function execProblems(exec: ExecConfig, user: KubeconfigUser, name: string): string[] {
  const needed = (what: string) => `${what} must be specified for ${name} to use exec authentication plugin`;
  const problems: string[] = [];
  if (user['auth-provider'])
    problems.push(`authProvider cannot be provided in combination with an exec plugin for ${name}`);
  if (!exec.command) problems.push(needed('command'));
  if (!exec.apiVersion) problems.push(needed('apiVersion'));
  for (const variable of exec.env ?? []) if (!variable.name) problems.push(needed('env variable name'));
  // Only this version has a default mode.
  const mode = exec.interactiveMode || (exec.apiVersion?.endsWith('/v1beta1') ? 'IfAvailable' : '');
  if (mode === '') problems.push(needed('interactiveMode'));
  else if (!interactiveModes.includes(mode))
    problems.push(`invalid interactiveMode for ${name}: ${goQuote(mode)}`);
  return problems;
}
