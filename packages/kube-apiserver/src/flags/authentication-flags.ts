/** The authentication flags. */
import { bool, duration, flagOf, section, string, stringArray, stringSlice } from '@coxswain/cobra';

/** `claim=value`, repeatable; commas are part of the value. */
const requiredPairs = flagOf<readonly string[]>(
  {
    typeName: 'mapStringString',
    read(text, previous, changed) {
      if (!text.includes('=')) throw new Error('malformed pair, expect string=string');
      return changed ? [...previous, text] : [text];
    },
    show: (pairs) => pairs.join(','),
  },
  [],
);

export const authenticationFlags = section('Authentication', {
  anonymousAuth: bool({
    default: true,
    usage: 'Accept requests without credentials, as user system:anonymous.',
  }),
  apiAudiences: stringSlice({ usage: 'The token audiences that this server accepts.' }),
  authenticationConfig: string({
    usage: 'The authentication configuration file: token issuers and anonymous access, in place of --oidc-*.',
  }),
  authenticationTokenWebhookCacheTtl: duration({
    default: 120_000,
    usage: 'How long to cache responses of the webhook.',
  }),
  authenticationTokenWebhookConfigFile: string({
    usage: 'A kubeconfig file with the address of the token authentication webhook.',
  }),
  authenticationTokenWebhookVersion: string({
    default: 'v1beta1',
    usage: 'The API version of the TokenReview sent to the webhook.',
  }),
  clientCaFile: string({ usage: 'The CA certificate file for client certificates.' }),
  enableBootstrapTokenAuth: bool({
    usage: 'Accept bootstrap tokens, kept as Secrets in kube-system, that nodes join with.',
  }),
  oidcCaFile: string({ usage: 'The CA certificate file for the issuer. Defaults to the CAs of the system.' }),
  oidcClientId: string({ usage: 'The client ID that tokens of the issuer must be issued for.' }),
  oidcGroupsClaim: string({ usage: 'The claim with the groups of the user.' }),
  oidcGroupsPrefix: string({ usage: 'The prefix added to each group.' }),
  oidcIssuerUrl: string({ usage: 'The https URL of a token issuer.' }),
  oidcRequiredClaim: requiredPairs({ usage: 'A claim that tokens must contain, as claim=value.' }),
  oidcSigningAlgs: stringSlice({
    default: ['RS256'],
    usage: 'The accepted signing algorithms of tokens.',
  }),
  oidcUsernameClaim: string({ default: 'sub', usage: 'The claim with the user name.' }),
  oidcUsernamePrefix: string({
    usage:
      'The prefix added to user names. Defaults to the issuer URL unless the claim is email; - means none.',
  }),
  requestheaderAllowedNames: stringSlice({
    usage:
      'The accepted common names of front proxies. If empty, all certificates signed by --requestheader-client-ca-file are accepted.',
  }),
  requestheaderClientCaFile: string({
    usage: 'The CA certificate file for front proxies, which pass user names in headers.',
  }),
  requestheaderExtraHeadersPrefix: stringSlice({
    usage: 'Prefixes of the headers with extra attributes of the user.',
  }),
  requestheaderGroupHeaders: stringSlice({ usage: 'Headers with the groups of the user.' }),
  requestheaderUidHeaders: stringSlice({ usage: 'Headers with the UID of the user.' }),
  requestheaderUsernameHeaders: stringSlice({ usage: 'Headers with the user name.' }),
  serviceAccountExtendTokenExpiration: bool({
    default: true,
    usage: 'Extend the lifetime of the tokens mounted into pods.',
  }),
  serviceAccountIssuer: stringArray({
    usage:
      'The issuer of service account tokens. Can be repeated: the first issues tokens, all are accepted.',
  }),
  serviceAccountJwksUri: string({ usage: 'The URI at which others find the public keys of tokens.' }),
  serviceAccountKeyFile: stringArray({
    usage: 'A file with keys or certificates to verify service account tokens with. Can be repeated.',
  }),
  serviceAccountLookup: bool({
    default: true,
    usage: 'Accept tokens stored in Secrets only while the Secret exists.',
  }),
  serviceAccountMaxTokenExpiration: duration({
    default: 0,
    usage: 'The maximum lifetime of a service account token.',
  }),
  tokenAuthFile: string({ usage: 'A CSV file with tokens: token,user,uid,"groups".' }),
});
