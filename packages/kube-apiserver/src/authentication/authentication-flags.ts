/** The authentication flags, before any file is read. */
export interface AuthenticationFlags {
  readonly anonymousAuth: boolean;
  readonly isAnonymousAuthGiven: boolean;
  readonly configFile: string;
  readonly clientCaFile: string;
  readonly tokenAuthFile: string;
  readonly hasBootstrapTokens: boolean;
  readonly oidc: OidcFlags;
  readonly requestHeader: RequestHeaderFlags;
  readonly webhookConfigFile: string;
  readonly webhookVersion: string;
  readonly webhookCacheTtlMs: number;
  /** The issuers of this server's own tokens. */
  readonly serviceAccountIssuers: readonly string[];
  /** Whether authorization allows everything, which disables anonymous access. */
  readonly allowsAlways: boolean;
}

export interface OidcFlags {
  /** Whether any of these flags was given. */
  readonly isGiven: boolean;
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly caFile: string;
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly signingAlgorithms: readonly string[];
  /** Pairs `claim=value`. */
  readonly requiredClaims: readonly string[];
}

export interface RequestHeaderFlags {
  readonly clientCaFile: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}
