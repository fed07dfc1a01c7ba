/** `--authentication-config`: the configured issuers of tokens, and the paths open to anonymous requests. */
import { always, bool, list, optional, pointer, string, struct, type Static } from '@coxswain/schema';
import {
  decodeConfiguration,
  UnknownConfigurationError,
} from '@coxswain/apimachinery/configuration/decode-configuration.ts';

const ClaimOrExpression = struct('ClaimOrExpression', {
  claim: always(1, string),
  expression: always(2, string),
});

const PrefixedClaimOrExpression = struct('PrefixedClaimOrExpression', {
  claim: always(1, string),
  prefix: pointer(2, string),
  expression: always(3, string),
});

const JwtAuthenticator = struct('JWTAuthenticator', {
  issuer: always(
    1,
    struct('Issuer', {
      url: always(1, string),
      discoveryURL: pointer(2, string),
      certificateAuthority: always(3, string),
      audiences: optional(4, list(string)),
      audienceMatchPolicy: always(5, string),
      egressSelectorType: always(6, string),
    }),
  ),
  claimValidationRules: optional(
    2,
    list(
      struct('ClaimValidationRule', {
        claim: always(1, string),
        requiredValue: always(2, string),
        expression: always(3, string),
        message: always(4, string),
      }),
    ),
  ),
  claimMappings: always(
    3,
    struct('ClaimMappings', {
      username: always(1, PrefixedClaimOrExpression),
      groups: always(2, PrefixedClaimOrExpression),
      uid: always(3, ClaimOrExpression),
      extra: optional(
        4,
        list(struct('ExtraMapping', { key: always(1, string), valueExpression: always(2, string) })),
      ),
    }),
  ),
  userValidationRules: optional(
    4,
    list(struct('UserValidationRule', { expression: always(1, string), message: always(2, string) })),
  ),
});

const kind = 'AuthenticationConfiguration';

const Configuration = struct(kind, {
  kind: optional(0, string),
  apiVersion: optional(0, string),
  jwt: optional(1, list(JwtAuthenticator)),
  anonymous: pointer(
    2,
    struct('AnonymousAuthConfig', {
      enabled: always(1, bool),
      conditions: optional(2, list(struct('AnonymousAuthCondition', { path: always(1, string) }))),
    }),
  ),
});

const form = {
  kinds: ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version} ${kind}`),
  type: Configuration,
  isStrict: true,
};

export type StatedJwtAuthenticator = Static<typeof JwtAuthenticator>;
export type StatedConfiguration = Static<typeof Configuration>;
export type StatedPrefixedClaim = Static<typeof PrefixedClaimOrExpression>;

/** Kinds of the same group, which upstream decodes before it checks the kind. */
const otherKind =
  /^no kind "(AdmissionConfiguration|AuthorizationConfiguration|TracingConfiguration|EncryptionConfiguration)" is registered for version "apiserver\.config\.k8s\.io\/v1"/;

/** @throws Error with upstream's message for an invalid configuration */
export function readStatedConfiguration(text: string): StatedConfiguration {
  if (text === '') throw new Error('empty config data');
  try {
    return decodeConfiguration(text, form);
  } catch (failure) {
    const other =
      failure instanceof UnknownConfigurationError ? otherKind.exec(failure.message)?.[1] : undefined;
    if (other === undefined) throw failure;
    throw new Error(`expected AuthenticationConfiguration, got *apiserver.${other}`, { cause: failure });
  }
}
