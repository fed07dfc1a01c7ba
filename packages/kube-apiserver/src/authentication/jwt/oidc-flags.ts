/** The issuer of the `--oidc-*` flags, in the form of the configuration file. */
import type { OidcFlags } from '../authentication-flags.ts';
import type { StatedConfiguration } from './stated-configuration.ts';

/** @param readText reads `--oidc-ca-file` @throws Error for a file that can’t be read */
export function oidcConfiguration(flags: OidcFlags, readText: (file: string) => string): StatedConfiguration {
  const { issuerUrl, clientId, caFile, usernameClaim, groupsClaim, groupsPrefix } = flags;
  if (issuerUrl === '' || clientId === '') return { anonymous: undefined };
  return {
    anonymous: undefined,
    jwt: [
      {
        issuer: {
          url: issuerUrl,
          discoveryURL: undefined,
          certificateAuthority: caFile === '' ? '' : readText(caFile),
          audiences: [clientId],
          audienceMatchPolicy: '',
          egressSelectorType: '',
        },
        claimMappings: {
          username: { claim: usernameClaim, prefix: usernamePrefix(flags), expression: '' },
          groups: {
            claim: groupsClaim,
            prefix: groupsClaim === '' ? undefined : groupsPrefix,
            expression: '',
          },
          uid: { claim: '', expression: '' },
        },
        claimValidationRules: requiredClaims(flags.requiredClaims),
      },
    ],
  };
}

/** Claims other than `email` are unique only within their issuer, hence the prefix. `-` is for no prefix. */
function usernamePrefix({ usernamePrefix: prefix, usernameClaim, issuerUrl }: OidcFlags): string {
  if (prefix === '-') return '';
  return prefix === '' && usernameClaim !== 'email' ? `${issuerUrl}#` : prefix;
}

const requiredClaims = (pairs: readonly string[]) =>
  pairs.map((pair) => {
    const equals = pair.indexOf('=');

    return {
      claim: pair.slice(0, equals).trim(),
      requiredValue: pair.slice(equals + 1),
      expression: '',
      message: '',
    };
  });
