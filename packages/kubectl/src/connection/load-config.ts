/** The configuration that the command line means: files, then options over them. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { loadKubeconfig } from '@coxswain/client/kubeconfig/load.ts';
import {
  resolveKubeconfig,
  type Kubeconfig,
  type KubeconfigOverrides,
  type ResolvedKubeconfig,
} from '@coxswain/client/kubeconfig/kubeconfig.ts';
import type { CommandContext, NamespaceChoice } from '../context.ts';
import { ConfigurationInvalid } from '../errors.ts';

export function loadConfig(context: CommandContext): Kubeconfig {
  const { kubeconfig } = context.globals;
  const { env, workingDirectory } = context.io;
  if (kubeconfig === '') return loadKubeconfig({ env });
  const file = isAbsolute(kubeconfig) ? kubeconfig : join(workingDirectory, kubeconfig);
  if (!existsSync(file)) throw new Error(`stat ${kubeconfig}: no such file or directory`);
  return loadKubeconfig({ env, file });
}

/** An address from nowhere: what the original tries when nothing is configured. */
const defaultServer = 'http://localhost:8080';

export function resolveConfig(context: CommandContext, config: Kubeconfig): ResolvedKubeconfig {
  const overrides = overridesOf(context);
  try {
    return resolveKubeconfig(withDefault(config, overrides), overrides);
  } catch (failure) {
    throw explained(failure as Error);
  }
}

/** What kubectl says about a configuration that can't be used. */
function explained(failure: Error): Error {
  const missing = /^(context|cluster) ("(.*)") does not exist$/.exec(failure.message);
  if (missing?.[1] === 'context') {
    return new ConfigurationInvalid([`context was not found for specified context: ${missing[3]}`]);
  }
  if (missing?.[1] === 'cluster')
    return new Error(`no server found for cluster ${missing[2]}`, { cause: failure });
  const problem = /^invalid configuration: ([^[].*)$/s.exec(failure.message)?.[1];
  if (problem === undefined) return failure;
  return problem.startsWith('context was not found')
    ? new ConfigurationInvalid([problem])
    : new Error(problem, { cause: failure });
}

function withDefault(config: Kubeconfig, overrides: KubeconfigOverrides): Kubeconfig {
  const hasServer = overrides.clusterInfo?.server;
  if (hasServer || config.clusters?.length || config.contexts?.length || config['current-context'])
    return config;
  return {
    ...config,
    'current-context': 'default',
    clusters: [{ name: 'default', cluster: { server: defaultServer } }],
    contexts: [{ name: 'default', context: { cluster: 'default', user: '' } }],
  };
}

const given = (text: string): string | undefined => (text === '' ? undefined : text);

function overridesOf({ globals }: CommandContext): KubeconfigOverrides {
  const compression = globals.disableCompression ? { 'disable-compression': true } : {};
  const insecure = globals.insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {};
  return {
    ...(globals.context === '' ? {} : { context: globals.context }),
    ...(globals.cluster === '' ? {} : { cluster: globals.cluster }),
    ...(globals.user === '' ? {} : { user: globals.user }),
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
    const key = equals < 0 ? pair : pair.slice(0, equals);
    (extra[key] ??= []).push(equals < 0 ? '' : pair.slice(equals + 1));
  }
  return extra;
}

/** The namespace of the command line, of the context, or `default`. */
export function namespaceOf(context: CommandContext): NamespaceChoice {
  const { namespace, context: wanted } = context.globals;
  if (namespace !== '') return { namespace, explicit: true };
  if (
    context.io.transport !== undefined &&
    context.globals.kubeconfig === '' &&
    !context.io.env['KUBECONFIG']
  ) {
    return { namespace: 'default', explicit: false };
  }
  const config = loadConfig(context);
  const name = wanted === '' ? (config['current-context'] ?? '') : wanted;
  const found = config.contexts?.find((entry) => entry.name === name);
  if (found === undefined && wanted !== '')
    throw new ConfigurationInvalid([`context was not found for specified context: ${wanted}`]);
  return { namespace: found?.context?.namespace || 'default', explicit: false };
}
