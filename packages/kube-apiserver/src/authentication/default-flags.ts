import type { AuthenticationFlags } from './authentication-flags.ts';

/** The defaults of the authentication flags. */
export const authenticationDefaults: AuthenticationFlags = {
  anonymousAuth: true,
  isAnonymousAuthGiven: false,
  configFile: '',
  clientCaFile: '',
  tokenAuthFile: '',
  hasBootstrapTokens: false,
  oidc: {
    isGiven: false,
    issuerUrl: '',
    clientId: '',
    caFile: '',
    usernameClaim: 'sub',
    usernamePrefix: '',
    groupsClaim: '',
    groupsPrefix: '',
    signingAlgorithms: ['RS256'],
    requiredClaims: [],
  },
  requestHeader: {
    clientCaFile: '',
    allowedNames: [],
    usernameHeaders: [],
    uidHeaders: [],
    groupHeaders: [],
    extraHeaderPrefixes: [],
  },
  webhookConfigFile: '',
  webhookVersion: 'v1beta1',
  webhookCacheTtlMs: 120_000,
  serviceAccountIssuers: [],
  allowsAlways: false,
};
