/** The authentication of flags and files, ready for assembling a server. */
import type { TokenAuthenticator } from '@coxswain/apiserver';
import type { AnonymousAccess } from '@coxswain/apiserver/authentication/anonymous.ts';
import type { RequestHeaderOptions } from '@coxswain/apiserver/authentication/request-header.ts';
import type { Authorities } from '@coxswain/apiserver/authentication/x509/authorities.ts';
import type { WebhookConnection } from '../webhook-connection.ts';
import type { JwtSettings } from './jwt/jwt-settings.ts';

export interface AuthenticationSetup {
  readonly anonymous?: AnonymousAccess;
  readonly tokenFile?: TokenAuthenticator;
  /** The authorities of client certificates; client certificates are ignored if unset. */
  readonly clientAuthorities?: Authorities;
  readonly requestHeader?: RequestHeaderOptions;
  readonly hasBootstrapTokens?: boolean;
  readonly webhook?: TokenWebhook;
  readonly jwt?: JwtSettings;
}

export interface TokenWebhook {
  readonly connection: WebhookConnection;
  readonly version: 'v1' | 'v1beta1';
  readonly cacheTtlMs: number;
}
