/** Loads authentication from flags and the files that they name; files are reloaded when they change. */
import { readFileSync } from 'node:fs';
import { aggregateFieldErrors, aggregateText } from '@coxswain/apimachinery';
import { forbiddenError } from '@coxswain/apimachinery/field-error.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { tokenFile } from '@coxswain/apiserver/authentication/token-file.ts';
import { AuthorityBundle } from '@coxswain/apiserver/authentication/x509/authorities.ts';
import { followText, type FollowedTextParts } from '../followed-text.ts';
import type { EgressName, EgressSelector } from '../egress/dial.ts';
import { kubeconfigWebhooks } from '../kubeconfig-webhook.ts';
import { openError } from '../open-error.ts';
import type { AuthenticationFlags } from './authentication-flags.ts';
import { flagProblems } from './flag-problems.ts';
import { signatureAlgorithms } from './json-web-token.ts';
import { configurationErrors } from './jwt/configuration-errors.ts';
import { httpsClient } from './jwt/https-client.ts';
import type { ExchangeAuthenticators, JwtSettings } from './jwt/jwt-settings.ts';
import { oidcConfiguration } from './jwt/oidc-flags.ts';
import { readStatedConfiguration, type StatedConfiguration } from './jwt/stated-configuration.ts';
import type { AuthenticationSetup, TokenWebhook } from './setup.ts';

export interface LoadParts extends FollowedTextParts {
  readonly enabled: (gate: string) => boolean;
  /** The route of outgoing connections; direct if unset. */
  readonly egress?: EgressSelector | undefined;
}

export interface LoadedAuthentication {
  readonly setup: AuthenticationSetup;
  /** `client-ca-file` and `requestheader-…`, as `extension-apiserver-authentication` has them. */
  readonly published: Readonly<Record<string, string>>;
  /** Calls back when one of the authorities has changed. */
  readonly whenPublished: (report: (published: Readonly<Record<string, string>>) => void) => void;
  /** Stops watching files. */
  readonly stop: () => void;
}

/** @throws Error with upstream's message for contradictory flags and invalid files */
export function loadAuthentication(flags: AuthenticationFlags, parts: LoadParts): LoadedAuthentication {
  const problems = flagProblems(flags, parts.enabled, parts.log);
  if (problems.length > 0) throw new Error(aggregateText(problems));
  const stated = statedConfiguration(flags, parts);
  let report: (published: Readonly<Record<string, string>>) => void = () => undefined;
  const changed = () => report(published(flags, clients?.pem, proxies?.pem));
  const clients = bundle('client-ca-bundle', flags.clientCaFile, parts, changed);
  const proxies = bundle('request-header', flags.requestHeader.clientCaFile, parts, changed);
  return {
    setup: {
      anonymous: anonymousAccess(flags, stated.configuration, parts),
      hasBootstrapTokens: flags.hasBootstrapTokens,
      ...(flags.tokenAuthFile !== '' && { tokenFile: readTokens(flags.tokenAuthFile, parts) }),
      ...(clients && { clientAuthorities: clients.authorities }),
      ...(proxies && { requestHeader: { ...flags.requestHeader, authorities: proxies.authorities } }),
      ...(flags.webhookConfigFile !== '' && { webhook: webhookOf(flags, parts) }),
      ...jwtSettings(flags, stated, parts),
    },
    published: published(flags, clients?.pem, proxies?.pem),
    whenPublished: (next) => void (report = next),
    stop: () => {
      clients?.stop();
      proxies?.stop();
    },
  };
}

interface StatedFile {
  readonly configuration: StatedConfiguration;
  /** Absent when the flags configure it. */
  readonly text?: string;
}

function statedConfiguration(flags: AuthenticationFlags, parts: LoadParts): StatedFile {
  const stated: StatedFile =
    flags.configFile === ''
      ? { configuration: oidcConfiguration(flags.oidc, readText) }
      : readConfiguration(flags.configFile);
  const { anonymous } = stated.configuration;
  if (anonymous && flags.isAnonymousAuthGiven) {
    const text =
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    throw new Error(aggregateFieldErrors([forbiddenError('anonymous', text)]));
  }
  const errors = configurationErrors(stated.configuration, limitsOf(flags, parts));
  if (errors.length > 0) {
    throw new Error(`invalid authentication configuration: ${aggregateFieldErrors(errors)}`);
  }
  const unsupported = flags.oidc.signingAlgorithms.find((one) => !signatureAlgorithms.includes(one));
  if (unsupported !== undefined && stated.configuration.jwt?.length) {
    throw new Error(`oidc: unsupported signing alg: ${JSON.stringify(unsupported)}`);
  }
  return stated;
}

const limitsOf = ({ serviceAccountIssuers }: AuthenticationFlags, { enabled }: LoadParts) => ({
  enabled,
  disallowedIssuers: serviceAccountIssuers,
});

function readConfiguration(file: string): Required<StatedFile> {
  try {
    const text = readText(file);
    return { text, configuration: readStatedConfiguration(text) };
  } catch (failure) {
    const message = messageOf(failure);
    throw new Error(`failed to load authentication configuration from file "${file}": ${message}`, {
      cause: failure,
    });
  }
}

function anonymousAccess(flags: AuthenticationFlags, { anonymous }: StatedConfiguration, { log }: LoadParts) {
  if (anonymous) {
    return { enabled: anonymous.enabled, paths: (anonymous.conditions ?? []).map(({ path }) => path) };
  }
  if (flags.anonymousAuth && flags.allowsAlways) {
    log(
      'AnonymousAuth is not allowed with the AlwaysAllow authorizer. Resetting AnonymousAuth to false. You should use a different authorizer',
    );
    return { enabled: false };
  }
  return { enabled: flags.anonymousAuth };
}

function jwtSettings(
  flags: AuthenticationFlags,
  stated: StatedFile,
  parts: LoadParts,
): { readonly jwt?: JwtSettings } {
  const authenticators = stated.configuration.jwt ?? [];
  checkEgress(stated.configuration, parts);
  const { text } = stated;
  // Only flags restrict the algorithms further than necessary by default.
  const signingAlgorithms = text === undefined ? flags.oidc.signingAlgorithms : signatureAlgorithms;
  const common = { authenticators, signingAlgorithms, client: httpsClient(parts.egress) };
  if (text === undefined) return authenticators.length === 0 ? {} : { jwt: common };
  const follow = following(flags, text, stated.configuration, parts);
  return { jwt: { ...common, configuration: text, follow } };
}

/** An egress selector type requires an egress configuration. @throws Error with upstream's message */
function checkEgress({ jwt = [] }: StatedConfiguration, { egress }: LoadParts): void {
  for (const { issuer } of jwt) {
    const type = issuer.egressSelectorType as EgressName | '';
    if (type === '' || egress?.isSaid(type)) continue;
    throw new Error(
      egress === undefined
        ? `oidc: egress lookup required with egress selector type "${type}"`
        : `oidc: egress lookup for "${type}" is not configured`,
    );
  }
}

const following =
  (
    flags: AuthenticationFlags,
    firstText: string,
    first: StatedConfiguration,
    parts: LoadParts,
  ): NonNullable<JwtSettings['follow']> =>
  (exchange) => {
    const use = (text: string) => {
      reload(text, first, flags, parts, exchange).then(
        () => parts.log('reloaded authentication config'),
        (failure: unknown) => parts.log(messageOf(failure)),
      );
    };
    return followText(flags.configFile, firstText, use, parts);
  };

async function reload(
  text: string,
  first: StatedConfiguration,
  flags: AuthenticationFlags,
  parts: LoadParts,
  exchange: ExchangeAuthenticators,
): Promise<void> {
  let configuration: StatedConfiguration;
  try {
    configuration = readStatedConfiguration(text);
    const errors = configurationErrors(configuration, limitsOf(flags, parts));
    if (JSON.stringify(configuration.anonymous) !== JSON.stringify(first.anonymous)) {
      errors.push(forbiddenError('anonymous', 'changed from initial configuration file'));
    }
    if (errors.length > 0) throw new Error(aggregateFieldErrors(errors));
    checkEgress(configuration, parts);
  } catch (failure) {
    await exchange(undefined);
    throw new Error(`failed to load authentication config: ${messageOf(failure)}`, {
      cause: failure,
    });
  }
  const authenticators = configuration.jwt ?? [];
  await exchange({ authenticators, configuration: text }).catch((failure: unknown) => {
    throw new Error(`failed to update authentication config: ${messageOf(failure)}`, {
      cause: failure,
    });
  });
}

function webhookOf(flags: AuthenticationFlags, { egress }: LoadParts): TokenWebhook {
  const connect = kubeconfigWebhooks(egress?.dialOf('controlplane'));
  const connection = connect(flags.webhookConfigFile, webhookTimeoutMs);
  const { webhookVersion: version } = flags;
  if (version !== 'v1' && version !== 'v1beta1') {
    throw new Error(
      `unsupported authentication webhook version ${JSON.stringify(version)}, supported versions are "v1", "v1beta1"`,
    );
  }
  return {
    connection,
    version,
    cacheTtlMs: flags.webhookCacheTtlMs,
  };
}

const webhookTimeoutMs = 30_000;

const readTokens = (file: string, { log }: LoadParts) => tokenFile(readText(file), { path: file, log });

interface Bundle {
  readonly authorities: AuthorityBundle;
  /** The current content of the file. */
  pem: string;
  readonly stop: () => void;
}

function bundle(purpose: string, file: string, parts: LoadParts, changed: () => void): Bundle | undefined {
  if (file === '') return undefined;
  const pem = readText(file);
  let authorities: AuthorityBundle;
  try {
    authorities = new AuthorityBundle(pem);
  } catch (failure) {
    const message = messageOf(failure);
    throw new Error(`error loading CA bundle for "${purpose}::${file}": ${message}`, { cause: failure });
  }
  const use = (text: string) => {
    authorities.exchange(text);
    found.pem = text;
    parts.log(`read ${file} again: its authorities hold from now on`);
    changed();
  };
  const found: Bundle = { authorities, pem, stop: followText(file, pem, use, parts) };
  return found;
}

/** Lists as JSON, as extension servers read them. */
function published(
  { requestHeader }: AuthenticationFlags,
  clients: string | undefined,
  proxies: string | undefined,
): Record<string, string> {
  const list = (items: readonly string[]) => JSON.stringify(items);
  return {
    ...(clients !== undefined && { 'client-ca-file': clients }),
    ...(proxies !== undefined && {
      'requestheader-client-ca-file': proxies,
      'requestheader-allowed-names': list(requestHeader.allowedNames),
      'requestheader-username-headers': list(requestHeader.usernameHeaders),
      'requestheader-uid-headers': list(requestHeader.uidHeaders),
      'requestheader-group-headers': list(requestHeader.groupHeaders),
      'requestheader-extra-headers-prefix': list(requestHeader.extraHeaderPrefixes),
    }),
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    throw openError('open', file, failure);
  }
}
