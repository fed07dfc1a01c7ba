/** Who is asking: the authenticators of a server, in the original's order. */
import type { Authenticator, TokenAuthenticator } from '@coxswain/apiserver';
import { anonymous } from '@coxswain/apiserver/authentication/anonymous.ts';
import { clientCertificate } from '@coxswain/apiserver/authentication/client-certificate.ts';
import { inProcessUser } from '@coxswain/apiserver/authentication/in-process-user.ts';
import {
  bearerToken,
  unionAuthenticator,
  unionTokenAuthenticator,
  unlessRefused,
} from '@coxswain/apiserver/authentication/union.ts';
import type { ObjectReader } from '../admission/object-reader.ts';
import { serviceAccountTokens } from '../service-accounts/token-authenticator.ts';
import type { CompletedOptions } from './completed-options.ts';

/** Who recognizes tokens that are meant for one of these audiences. */
export type TokensFor = (audiences: readonly string[]) => TokenAuthenticator;

export const tokensFor =
  (options: CompletedOptions, objects: ObjectReader): TokensFor =>
  (audiences) =>
    unionTokenAuthenticator([
      ...options.tokens,
      ...serviceAccountAuthenticators(options, audiences, objects),
    ]);

export const authenticatorOf = (
  { apiAudiences, anonymousAuth }: CompletedOptions,
  tokens: TokensFor,
): Authenticator =>
  unlessRefused(
    unionAuthenticator([inProcessUser, clientCertificate, bearerToken(tokens(apiAudiences))]),
    anonymous(anonymousAuth),
  );

function serviceAccountAuthenticators(
  { serviceAccounts, clock }: CompletedOptions,
  audiences: readonly string[],
  objects: ObjectReader,
): TokenAuthenticator[] {
  if (serviceAccounts === undefined) return [];
  const { issuers, verifiers } = serviceAccounts;
  return [serviceAccountTokens({ issuers, verifiers, audiences, clock, objects })];
}
