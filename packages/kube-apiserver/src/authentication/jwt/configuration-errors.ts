/** Validates an AuthenticationConfiguration, in upstream's order and words. */
import {
  duplicateError,
  FieldPath,
  invalidError,
  requiredError,
  type FieldError,
} from '@coxswain/apimachinery';
import { forbiddenError, PrintedValue, tooManyError } from '@coxswain/apimachinery/field-error.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { certificatesInPem } from '@coxswain/apiserver/authentication/x509/authorities.ts';
import { claimMappingErrors } from './claim-mapping-errors.ts';
import { RuleChecks } from './rule-checks.ts';
import { parseUrl } from '@coxswain/apimachinery/url-text.ts';
import type { StatedConfiguration, StatedJwtAuthenticator } from './stated-configuration.ts';

export interface ConfigurationLimits {
  readonly enabled: (gate: string) => boolean;
  /** The issuers of this server's own tokens. */
  readonly disallowedIssuers: readonly string[];
}

const authenticatorsMax = 64;

export function configurationErrors(
  { jwt, anonymous }: StatedConfiguration,
  limits: ConfigurationLimits,
): FieldError[] {
  const root = FieldPath.of('jwt');
  const authenticators = jwt ?? [];
  if (authenticators.length > authenticatorsMax) {
    return [tooManyError(root, authenticators.length, authenticatorsMax)];
  }
  const issuers = new Set<string>();
  const discoveries = new Set<string>();
  const errors = authenticators.flatMap((authenticator, index) => {
    const path = root.index(index);
    const found = authenticatorErrors(authenticator, path, limits);
    const { url, discoveryURL } = authenticator.issuer;
    if (issuers.has(url)) found.push(duplicateError(path.child('issuer', 'url'), url));
    issuers.add(url);
    if (discoveryURL) {
      if (discoveries.has(discoveryURL)) {
        found.push(duplicateError(path.child('issuer', 'discoveryURL'), discoveryURL));
      }
      discoveries.add(discoveryURL);
    }
    return found;
  });
  if (anonymous) errors.push(...anonymousErrors(anonymous, limits));
  return errors;
}

function anonymousErrors(
  { enabled, conditions }: NonNullable<StatedConfiguration['anonymous']>,
  limits: ConfigurationLimits,
): FieldError[] {
  const path = FieldPath.of('anonymous');
  const errors: FieldError[] = [];
  if (!limits.enabled('AnonymousAuthConfigurableEndpoints')) {
    const text =
      'anonymous is not supported when AnonymousAuthConfigurableEndpoints feature gate is disabled';
    errors.push(forbiddenError(path, text));
  }
  if (!enabled && conditions?.length) {
    const printed = new PrintedValue(JSON.stringify(conditions.map(({ path: Path }) => ({ Path }))));
    const text = 'enabled should be set to true when conditions are defined';
    errors.push(invalidError(path.child('conditions'), printed, text));
  }
  return errors;
}

function authenticatorErrors(
  { issuer, claimMappings, claimValidationRules, userValidationRules }: StatedJwtAuthenticator,
  path: FieldPath,
  limits: ConfigurationLimits,
): FieldError[] {
  const rules = new RuleChecks();
  return [
    ...issuerErrors(issuer, path.child('issuer'), limits),
    ...rules.claimRuleErrors(claimValidationRules ?? [], path.child('claimValidationRules')),
    ...claimMappingErrors(claimMappings, path.child('claimMappings'), rules),
    ...rules.userRuleErrors(userValidationRules ?? [], path.child('userValidationRules')),
  ];
}

function issuerErrors(
  issuer: StatedJwtAuthenticator['issuer'],
  path: FieldPath,
  limits: ConfigurationLimits,
): FieldError[] {
  const { url, discoveryURL, audiences, certificateAuthority, egressSelectorType } = issuer;
  const urlPath = path.child('url');
  return [
    ...(url === '' ? [requiredError(urlPath)] : urlErrors(url, urlPath, limits.disallowedIssuers)),
    ...discoveryErrors(url, discoveryURL ?? '', path.child('discoveryURL')),
    ...audienceErrors(audiences ?? [], issuer.audienceMatchPolicy, path),
    ...authorityErrors(certificateAuthority, path.child('certificateAuthority')),
    ...egressErrors(egressSelectorType, path.child('egressSelectorType'), limits),
  ];
}

function urlErrors(url: string, path: FieldPath, disallowed: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (disallowed.includes(url)) {
    const list = `[${[...new Set(disallowed)].sort().join(' ')}]`;
    errors.push(invalidError(path, url, `URL must not overlap with disallowed issuers: ${list}`));
  }
  try {
    const { scheme, user, query, fragment } = parseUrl(url);
    const wrong = (text: string) => errors.push(invalidError(path, url, text));
    if (scheme !== 'https') wrong('URL scheme must be https');
    if (user !== undefined) wrong('URL must not contain a username or password');
    if (query !== '') wrong('URL must not contain a query');
    if (fragment !== '') wrong('URL must not contain a fragment');
  } catch (failure) {
    errors.push(invalidError(path, url, messageOf(failure)));
  }
  return errors;
}

function discoveryErrors(issuerUrl: string, discoveryUrl: string, path: FieldPath): FieldError[] {
  if (discoveryUrl === '') return [];
  const withoutSlashes = (url: string) => url.replace(/\/+$/, '');
  const isSame = issuerUrl !== '' && withoutSlashes(issuerUrl) === withoutSlashes(discoveryUrl);
  return [
    ...(isSame ? [invalidError(path, discoveryUrl, 'discoveryURL must be different from URL')] : []),
    ...urlErrors(discoveryUrl, path, []),
  ];
}

function audienceErrors(audiences: readonly string[], policy: string, parent: FieldPath): FieldError[] {
  const path = parent.child('audiences');
  if (audiences.length === 0) return [requiredError(path, `at least one ${path.toString()} is required`)];
  const errors = audiences.flatMap((audience, index) => [
    ...(audience === '' ? [requiredError(path.index(index))] : []),
    ...(audiences.indexOf(audience) < index ? [duplicateError(path.index(index), audience)] : []),
  ]);
  const policyPath = parent.child('audienceMatchPolicy');
  if (audiences.length > 1 && policy !== 'MatchAny') {
    errors.push(
      invalidError(policyPath, policy, 'audienceMatchPolicy must be MatchAny for multiple audiences'),
    );
  }
  if (audiences.length === 1 && policy !== '' && policy !== 'MatchAny') {
    const text = 'audienceMatchPolicy must be empty or MatchAny for single audience';
    errors.push(invalidError(policyPath, policy, text));
  }
  return errors;
}

function authorityErrors(pem: string, path: FieldPath): FieldError[] {
  if (pem === '') return [];
  try {
    certificatesInPem(pem);
    return [];
  } catch (failure) {
    return [invalidError(path, '<omitted>', messageOf(failure))];
  }
}

const egressTypes: readonly string[] = ['controlplane', 'cluster'];

function egressErrors(type: string, path: FieldPath, { enabled }: ConfigurationLimits): FieldError[] {
  if (type === '') return [];
  const gate = 'StructuredAuthenticationConfigurationEgressSelector';
  return [
    ...(enabled(gate)
      ? []
      : [invalidError(path, type, `egress selector is not supported when ${gate} feature gate is disabled`)]),
    ...(egressTypes.includes(type)
      ? []
      : [invalidError(path, type, 'egress selector must be either controlplane or cluster')]),
  ];
}
