/** Who is let in. */
import { bool, duration, flagOf, section, string, stringArray, stringSlice } from '@coxswain/cobra';

/** `claim=value`, repeatable; commas belong to the value. */
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
    usage: 'Let in requests without credentials, as system:anonymous.',
  }),
  apiAudiences: stringSlice({ usage: 'What this server calls itself in tokens.' }),
  authenticationConfig: string({
    usage:
      'The file that names issuers of tokens and says what anonymous requests may reach; in place of --oidc-*.',
  }),
  authenticationTokenWebhookCacheTtl: duration({
    default: 120_000,
    usage: 'How long what the webhook says of a token is kept.',
  }),
  authenticationTokenWebhookConfigFile: string({
    usage: 'A kubeconfig file that names a service which is asked about tokens.',
  }),
  authenticationTokenWebhookVersion: string({
    default: 'v1beta1',
    usage: 'The version of the TokenReview that the webhook is sent.',
  }),
  clientCaFile: string({ usage: 'Authorities whose client certificates are accepted.' }),
  enableBootstrapTokenAuth: bool({
    usage: 'Accept tokens of Secrets of kube-system by which nodes join.',
  }),
  oidcCaFile: string({ usage: 'The authority of the issuer’s certificate; those of the system without it.' }),
  oidcClientId: string({ usage: 'Whom tokens of the issuer must be meant for.' }),
  oidcGroupsClaim: string({ usage: 'The claim that holds groups.' }),
  oidcGroupsPrefix: string({ usage: 'What goes before each group.' }),
  oidcIssuerUrl: string({ usage: 'An issuer of tokens, by its https URL.' }),
  oidcRequiredClaim: requiredPairs({ usage: 'A pair claim=value that a token must hold.' }),
  oidcSigningAlgs: stringSlice({
    default: ['RS256'],
    usage: 'Algorithms that tokens may be signed with.',
  }),
  oidcUsernameClaim: string({ default: 'sub', usage: 'The claim that holds the name.' }),
  oidcUsernamePrefix: string({
    usage: 'What goes before the name: the issuer unless the claim is email; - for nothing.',
  }),
  requestheaderAllowedNames: stringSlice({
    usage: 'Common names of front proxies; any that --requestheader-client-ca-file vouches for without it.',
  }),
  requestheaderClientCaFile: string({ usage: 'Authorities of front proxies, which name users in headers.' }),
  requestheaderExtraHeadersPrefix: stringSlice({ usage: 'How headers begin that hold extra values.' }),
  requestheaderGroupHeaders: stringSlice({ usage: 'Headers that hold groups.' }),
  requestheaderUidHeaders: stringSlice({ usage: 'Headers that hold the uid.' }),
  requestheaderUsernameHeaders: stringSlice({ usage: 'Headers that hold the name.' }),
  serviceAccountExtendTokenExpiration: bool({
    default: true,
    usage: 'Let tokens that pods mount live longer than asked for.',
  }),
  serviceAccountIssuer: stringArray({ usage: 'The issuer of tokens; more are accepted.' }),
  serviceAccountJwksUri: string({ usage: 'Where others find the keys of tokens.' }),
  serviceAccountKeyFile: stringArray({ usage: 'Keys or certificates by which tokens are verified.' }),
  serviceAccountLookup: bool({
    default: true,
    usage: 'Accept tokens of Secrets only as long as they are there.',
  }),
  serviceAccountMaxTokenExpiration: duration({ default: 0, usage: 'The longest life of a token.' }),
  tokenAuthFile: string({ usage: 'A CSV file of tokens: token, user, uid, "groups".' }),
});
