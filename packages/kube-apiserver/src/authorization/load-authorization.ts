/** Loads authorization from flags and files, and reloads its file when it changes. */
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { aggregateText, type Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { kubeconfigWebhooks } from '../kubeconfig-webhook.ts';
import type { WebhookConnector } from '../webhook-connection.ts';
import { openError } from '../open-error.ts';
import { readAbacPolicies } from './abac-policies.ts';
import { readAuthorizationConfiguration } from './authorization-configuration.ts';
import type { AuthorizationSetup } from './authorizer-chain.ts';
import {
  authorizationModes,
  plainAuthorizer,
  type AuthorizationMode,
  type ConfiguredAuthorizer,
} from './configured-authorizer.ts';
import { webhookDefaults } from './webhook-defaults.ts';

export interface AuthorizationFlags {
  readonly modes: readonly string[];
  readonly policyFile: string;
  readonly configFile: string;
  readonly webhookConfigFile: string;
  readonly webhookVersion: string;
  readonly webhookAuthorizedTtlMs: number;
  readonly webhookUnauthorizedTtlMs: number;
}

/** Upstream's polling interval, in case no file event arrives earlier. */
const reloadEveryMs = 60_000;
const webhookTimeoutMs = 30_000;

export interface ReloadParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** Connects to webhooks; directly if unset. */
  readonly connect?: WebhookConnector;
}

/** @throws Error with upstream's message for contradictory flags and invalid files */
export function loadAuthorization(flags: AuthorizationFlags, parts: ReloadParts): AuthorizationSetup {
  const { connect = kubeconfigWebhooks() } = parts;
  if (flags.configFile !== '') {
    checkAlone(flags);
    const text = readText(flags.configFile);
    const authorizers = readAuthorizationConfiguration(text, kubeconfigProblem);
    const policies = policiesOf(flags, authorizers);
    return { authorizers, policies, connect, follow: following(flags.configFile, text, authorizers, parts) };
  }
  const authorizers = authorizersOf(flags);
  return { authorizers, policies: policiesOf(flags, authorizers), connect };
}

function checkAlone({ modes, ...flags }: AuthorizationFlags): void {
  const isLegacySet =
    modes.length > 0 ||
    flags.webhookConfigFile !== '' ||
    flags.webhookVersion !== webhookDefaults.version ||
    flags.webhookAuthorizedTtlMs !== webhookDefaults.authorizedTtlMs ||
    flags.webhookUnauthorizedTtlMs !== webhookDefaults.unauthorizedTtlMs;
  if (!isLegacySet) return;
  throw new Error(
    '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
  );
}

function authorizersOf(flags: AuthorizationFlags): readonly ConfiguredAuthorizer[] {
  const modes = flags.modes.length === 0 ? ['AlwaysAllow'] : flags.modes;
  const problems = modeProblems(modes, flags);
  if (problems.length > 0) throw new Error(aggregateText(problems));
  return (modes as readonly AuthorizationMode[]).map((mode) =>
    mode === 'Webhook' ? flagWebhook(flags) : plainAuthorizer(mode),
  );
}

function modeProblems(
  modes: readonly string[],
  { policyFile, webhookConfigFile }: AuthorizationFlags,
): string[] {
  const known = authorizationModes as readonly string[];
  const has = (mode: string) => modes.includes(mode);
  return [
    ...modes.flatMap((mode) => [
      ...(known.includes(mode) ? [] : [`authorization-mode ${JSON.stringify(mode)} is not a valid mode`]),
      ...(mode === 'ABAC' && policyFile === ''
        ? ["authorization-mode ABAC's authorization policy file not passed"]
        : []),
      ...(mode === 'Webhook' && webhookConfigFile === ''
        ? ["authorization-mode Webhook's authorization config file not passed"]
        : []),
    ]),
    ...(policyFile !== '' && !has('ABAC')
      ? ['cannot specify --authorization-policy-file without mode ABAC']
      : []),
    ...(webhookConfigFile !== '' && !has('Webhook')
      ? ['cannot specify --authorization-webhook-config-file without mode Webhook']
      : []),
    ...(new Set(modes).size < modes.length
      ? [
          `authorization-mode [${modes.map((mode) => JSON.stringify(mode)).join(' ')}] has mode specified more than once`,
        ]
      : []),
  ];
}

function flagWebhook(flags: AuthorizationFlags): ConfiguredAuthorizer {
  const { webhookVersion: version } = flags;
  if (version !== 'v1' && version !== 'v1beta1') {
    throw new Error(
      `invalid authorization config: unsupported webhook authorizer version ${JSON.stringify(version)}, supported versions are "v1", "v1beta1"`,
    );
  }
  return {
    type: 'Webhook',
    name: 'default',
    webhook: {
      kubeConfigFile: flags.webhookConfigFile,
      timeoutMs: webhookTimeoutMs,
      authorizedTtlMs: flags.webhookAuthorizedTtlMs,
      unauthorizedTtlMs: flags.webhookUnauthorizedTtlMs,
      subjectAccessReviewVersion: version,
      failurePolicy: 'NoOpinion',
      matchConditions: [],
    },
  };
}

function policiesOf({ policyFile }: AuthorizationFlags, authorizers: readonly ConfiguredAuthorizer[]) {
  if (!authorizers.some(({ type }) => type === 'ABAC')) return [];
  try {
    return readAbacPolicies(policyFile, readText(policyFile));
  } catch (failure) {
    throw new Error(`invalid authorization config: ${messageOf(failure)}`, { cause: failure });
  }
}

/** Polls the file; an unusable one is logged and ignored. */
const following =
  (
    file: string,
    firstText: string,
    first: readonly ConfiguredAuthorizer[],
    { clock, log }: ReloadParts,
  ): NonNullable<AuthorizationSetup['follow']> =>
  (exchange, reported) => {
    const required = first.map(({ type }) => type).filter((type) => type !== 'Webhook');
    let lastText = firstText;
    const look = () => {
      try {
        const text = readText(file);
        if (text === lastText) return;
        lastText = text;
        const next = readAuthorizationConfiguration(text, kubeconfigProblem, required);
        const added = next.find(({ type }) => type !== 'Webhook' && !required.includes(type));
        if (added !== undefined) {
          throw new Error(
            `authorizer type ${added.type} is not allowed if it was not enabled at initial server startup`,
          );
        }
        exchange(next);
        log('reloaded authz config');
        reported('success');
      } catch (failure) {
        log(`reloading authorization config: ${messageOf(failure)}`);
        reported('failure');
      }
    };
    let timer = clock.after(reloadEveryMs, again, { idle: true });
    function again(): void {
      look();
      timer = clock.after(reloadEveryMs, again, { idle: true });
    }
    return () => timer.cancel();
  };

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    throw openError('open', file, failure);
  }
}

function kubeconfigProblem(file: string): string | undefined {
  if (!isAbsolute(file)) return 'must be an absolute path';
  try {
    return statSync(file).isFile() ? undefined : 'must be a regular file';
  } catch (failure) {
    return `error loading file: ${openError('stat', file, failure).message}`;
  }
}
