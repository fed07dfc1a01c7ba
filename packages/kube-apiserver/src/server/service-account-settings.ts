/** The settings of service account keys and issuers. */
import { readFileSync } from 'node:fs';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AssemblyOptions } from './options.ts';
import { openError } from '../open-error.ts';
import type {
  ExternalSigner,
  ExternalSignerSettings,
} from '../service-accounts/external-signer/external-signer.ts';
import { ownTokens } from '../service-accounts/own-key.ts';
import { signerFromPem, verifiersFromPem } from '../service-accounts/pem-keys.ts';
import { extendedExpirationSeconds, issuerDefault, tokenIssuer } from '../service-accounts/token-issuer.ts';
import { fixedKeys } from '../service-accounts/token-keys.ts';

export interface ServiceAccountSettings {
  /** The first one issues tokens, all are accepted. */
  readonly serviceAccountIssuers?: readonly string[];
  readonly serviceAccountKeyFiles?: readonly string[];
  readonly serviceAccountSigningKeyFile?: string;
  /** Whether the server generates a key, which is lost when it stops. */
  readonly makesServiceAccountKey?: boolean;
  /** The socket of an external signer, in place of a key file. */
  readonly serviceAccountSigningEndpoint?: string;
  readonly serviceAccountExtendsExpiration?: boolean;
  /** 0 for no limit. */
  readonly serviceAccountExpirationSecondsMax?: number;
  readonly serviceAccountLookup?: boolean;
  readonly serviceAccountJwksUri?: string;
  readonly apiAudiences?: readonly string[];
}

/** @throws Error that names the file, or has the signer's answer */
export async function serviceAccountsOf(
  settings: ServiceAccountSettings,
  parts: { readonly clock: Clock; readonly log: (line: string) => void },
): Promise<NonNullable<AssemblyOptions['serviceAccounts']>> {
  const { serviceAccountSigningKeyFile: signingFile, serviceAccountKeyFiles = [], apiAudiences } = settings;
  const issuers = settings.serviceAccountIssuers?.length ? settings.serviceAccountIssuers : [issuerDefault];
  const keyFiles =
    serviceAccountKeyFiles.length > 0 || signingFile === undefined ? serviceAccountKeyFiles : [signingFile];
  const verifiers = keyFiles.flatMap((file) =>
    fromFile(file, verifiersFromPem, (text) => `error reading public key file ${file}: ${text}`),
  );
  const limits = {
    issuer: issuers[0]!,
    expirationSecondsMax: settings.serviceAccountExpirationSecondsMax ?? 0,
    extendsExpiration: settings.serviceAccountExtendsExpiration ?? true,
  };
  const { serviceAccountJwksUri: jwksUri, serviceAccountLookup: looksUp = true } = settings;
  return {
    issuers,
    looksUp,
    ...(jwksUri ? { jwksUri } : {}),
    ...(apiAudiences?.length ? { audiences: apiAudiences } : {}),
    ...(settings.makesServiceAccountKey === true && ownTokens(issuers[0]!)),
    ...(verifiers.length === 0 ? {} : { keys: fixedKeys(verifiers) }),
    ...(signingFile === undefined
      ? {}
      : {
          tokenIssuer: tokenIssuer({
            ...limits,
            extendedSeconds: extendedExpirationSeconds,
            signer: fromFile(
              signingFile,
              signerFromPem,
              () =>
                `failed to parse service-account-issuer-key-file: error reading private key file ${signingFile}: data does not contain a valid RSA or ECDSA private key`,
            ),
          }),
        }),
    ...(settings.serviceAccountSigningEndpoint
      ? await externalSigner({ ...limits, socketPath: settings.serviceAccountSigningEndpoint }, parts)
      : {}),
  };
}

/** Loaded on demand, since few have an external signer. */
async function externalSigner(
  settings: ExternalSignerSettings,
  parts: { readonly clock: Clock; readonly log: (line: string) => void },
): Promise<ExternalSigner> {
  const { openExternalSigner } = await import('../service-accounts/external-signer/external-signer.ts');
  return openExternalSigner(settings, parts);
}

function fromFile<T>(file: string, read: (text: string) => T, inWords: (text: string) => string): T {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (failure) {
    throw openError('open', file, failure);
  }
  try {
    return read(text);
  } catch (failure) {
    throw new Error(inWords(messageOf(failure)), { cause: failure });
  }
}
