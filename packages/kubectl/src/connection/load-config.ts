/** Determines the configuration of the command line: kubeconfig files, overridden by options. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { inClusterKubeconfig, loadKubeconfig, openFailure } from '@coxswain/client/kubeconfig/load.ts';
import type {
  Kubeconfig,
  KubeconfigOverrides,
  ResolvedKubeconfig,
} from '@coxswain/client/kubeconfig/kubeconfig.ts';
import { contextNotFound, InvalidKubeconfig } from '@coxswain/client/kubeconfig/check-usable.ts';
import { namespaceOfKubeconfig, resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';
import type { CommandContext, NamespaceChoice } from '../context.ts';
import { ConfigurationInvalid } from '../errors.ts';

export function loadConfig(context: CommandContext): Kubeconfig {
  const { kubeconfig } = context.globals;
  const { env, workingDirectory } = context.io;
  if (kubeconfig === '') return loadKubeconfig({ env });
  const file = isAbsolute(kubeconfig) ? kubeconfig : join(workingDirectory, kubeconfig);
  if (!existsSync(file)) throw new Error(`stat ${kubeconfig}: no such file or directory`);
  return loadKubeconfig({ env, file, shownAs: kubeconfig });
}

/**
 * Returns the server and the user specified by files and options; inside a pod, if neither specifies any, those of the
 * pod.
 * @throws Error with upstream's message if they can't be used
 */
export function resolveConfig(context: CommandContext): ResolvedKubeconfig {
  const config = loadConfig(context);
  const overrides = overridesOf(context);
  try {
    const resolved = resolveKubeconfig(config, overrides, openFailure);
    const inCluster = isDefault(resolved) ? inClusterKubeconfig(context.io.env) : undefined;
    return inCluster === undefined ? resolved : resolveKubeconfig(inCluster, {}, openFailure);
  } catch (failure) {
    throw explained(failure as Error);
  }
}

/** Upstream's default without any configuration. */
const defaultServer = 'http://localhost:8080';

const isDefault = ({ cluster }: ResolvedKubeconfig): boolean =>
  cluster.server === defaultServer && Object.keys(cluster).length === 1;

/**
 * A single problem is reported as such, several as a list; a missing context is always reported as an invalid
 * configuration.
 */
function explained(failure: Error): Error {
  if (!(failure instanceof InvalidKubeconfig)) return failure;
  const [first = '', ...more] = failure.problems;
  const isLostContext = first === contextNotFound(first.slice(contextNotFound('').length));
  return more.length > 0 || isLostContext
    ? new ConfigurationInvalid(failure.problems)
    : new Error(first, { cause: failure });
}

const given = (text: string): string | undefined => (text === '' ? undefined : text);

function overridesOf({ globals, io }: CommandContext): KubeconfigOverrides {
  const compression = globals.disableCompression ? { 'disable-compression': true } : {};
  const insecure = globals.insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {};
  return {
    ...(globals.context === '' ? {} : { context: globals.context }),
    ...(globals.cluster === '' ? {} : { cluster: globals.cluster }),
    ...(globals.user === '' ? {} : { user: globals.user }),
    clusterDefaults: { server: io.env['KUBERNETES_MASTER'] || defaultServer },
    clusterInfo: {
      server: given(globals.server),
      'tls-server-name': given(globals.tlsServerName),
      'certificate-authority': given(globals.certificateAuthority),
      ...insecure,
      ...compression,
    },
    userInfo: {
      token: given(globals.token),
      username: given(globals.username),
      password: given(globals.password),
      'client-certificate': given(globals.clientCertificate),
      'client-key': given(globals.clientKey),
      as: given(globals.as),
      'as-uid': given(globals.asUid),
      ...(globals.asGroup.length === 0 ? {} : { 'as-groups': [...globals.asGroup] }),
      ...(globals.asUserExtra.length === 0 ? {} : { 'as-user-extra': extraOf(globals.asUserExtra) }),
    },
  };
}

function extraOf(pairs: readonly string[]): Record<string, string[]> {
  const extra: Record<string, string[]> = {};
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    (extra[pair.slice(0, equals)] ??= []).push(pair.slice(equals + 1));
  }
  return extra;
}

/** The namespace of the command line, the context, or the pod, or `default`. */
export function namespaceOf(context: CommandContext): NamespaceChoice {
  const { namespace } = context.globals;
  if (namespace !== '') return { namespace, explicit: true };
  const { transport, env } = context.io;
  if (transport !== undefined && context.globals.kubeconfig === '' && !env['KUBECONFIG']) {
    return { namespace: 'default', explicit: false };
  }
  const config = loadConfig(context);
  try {
    const found = namespaceOfKubeconfig(config, overridesOf(context), openFailure);
    const inCluster = config.contexts?.length ? undefined : inClusterKubeconfig(env);
    return { namespace: inCluster?.contexts?.[0]?.context?.namespace ?? found, explicit: false };
  } catch (failure) {
    throw explained(failure as Error);
  }
}
