/** `--authorization-config`: the authorizers of a file. */
import { aggregateFieldErrors, aggregateText } from '@coxswain/apimachinery';
import { parseDurationMs } from '@coxswain/apimachinery/duration.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { always, list, optional, string, struct } from '@coxswain/schema';
import { decodeConfiguration } from '@coxswain/apimachinery/configuration/decode-configuration.ts';
import type { AuthorizationMode, ConfiguredAuthorizer, WebhookSettings } from './configured-authorizer.ts';
import { configurationErrors, type FileCheck } from './validate-configuration.ts';
import { Authorizer, type StatedAuthorizer, type StatedWebhook } from './stated-authorizers.ts';

const kind = 'AuthorizationConfiguration';

const form = {
  kinds: ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version} ${kind}`),
  type: struct(kind, {
    kind: optional(0, string),
    apiVersion: optional(0, string),
    authorizers: always(1, list(Authorizer)),
  }),
  isStrict: true,
};

/**
 * @param required types that must be present, since none may disappear on a reload
 * @throws Error with upstream's message
 */
export function readAuthorizationConfiguration(
  text: string,
  checkFile: FileCheck,
  required: readonly AuthorizationMode[] = [],
): readonly ConfiguredAuthorizer[] {
  const stated = decoded(text);
  const errors = configurationErrors(stated, checkFile);
  if (errors.length > 0) throw new Error(aggregateFieldErrors(errors));
  const plain = stated.filter(({ type }) => type !== 'Webhook');
  const missing = required.filter((mode) => !plain.some(({ type }) => type === mode)).sort();
  const problems = [
    ...plain
      .filter(({ type, name }) => name !== type.toLowerCase())
      .map(
        ({ type, name }) => `expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`,
      ),
    ...(missing.length > 0 ? [`missing required types: [${missing.join(' ')}]`] : []),
  ];
  if (problems.length > 0) throw new Error(aggregateText(problems));
  return stated.map(configured);
}

function decoded(text: string): readonly StatedAuthorizer[] {
  if (text === '') return [];
  try {
    return decodeConfiguration(text, form).authorizers ?? [];
  } catch (failure) {
    const message = messageOf(failure);
    throw new Error(`failed to load AuthorizationConfiguration from file: ${message}`, { cause: failure });
  }
}

const configured = ({ type, name, webhook }: StatedAuthorizer): ConfiguredAuthorizer => ({
  type: type as AuthorizationMode,
  name,
  ...(webhook ? { webhook: webhookSettings(webhook) } : {}),
});

const authorizedTtlDefault = '5m';
const unauthorizedTtlDefault = '30s';

const webhookSettings = (stated: StatedWebhook): WebhookSettings => ({
  kubeConfigFile: stated.connectionInfo.kubeConfigFile ?? '',
  timeoutMs: parseDurationMs(stated.timeout),
  authorizedTtlMs: ttlMs(stated.cacheAuthorizedRequests, stated.authorizedTTL, authorizedTtlDefault),
  unauthorizedTtlMs: ttlMs(stated.cacheUnauthorizedRequests, stated.unauthorizedTTL, unauthorizedTtlDefault),
  subjectAccessReviewVersion: stated.subjectAccessReviewVersion as 'v1' | 'v1beta1',
  failurePolicy: stated.failurePolicy as 'NoOpinion' | 'Deny',
  matchConditions: (stated.matchConditions ?? []).map(({ expression }) => expression),
});

const ttlMs = (isCached: boolean | undefined | null, stated: string, byDefault: string): number =>
  isCached === false ? 0 : parseDurationMs(stated === '' || stated === '0s' ? byDefault : stated);
