/** Keys and issuers of service accounts as settings name them. @throws Error that names the file */
import { readFileSync } from 'node:fs';
import type { AssemblyOptions } from '../server/options.ts';
import { openError } from '../open-error.ts';
import { signerFromPem, verifiersFromPem } from './pem-keys.ts';
import { tokenIssuer } from './token-issuer.ts';

export interface ServiceAccountSettings {
  /** The first one issues, all are accepted. */
  readonly serviceAccountIssuers?: readonly string[];
  readonly serviceAccountKeyFiles?: readonly string[];
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountExtendsExpiration?: boolean;
  /** 0: no limit. */
  readonly serviceAccountExpirationSecondsMax?: number;
  readonly serviceAccountLookup?: boolean;
  readonly serviceAccountJwksUri?: string;
  readonly apiAudiences?: readonly string[];
}

const issuerDefault = 'https://kubernetes.default.svc.cluster.local';

export function serviceAccountsOf(settings: ServiceAccountSettings): AssemblyOptions['serviceAccounts'] {
  const { serviceAccountSigningKeyFile: signingFile, serviceAccountKeyFiles = [], apiAudiences } = settings;
  const issuers = settings.serviceAccountIssuers?.length ? settings.serviceAccountIssuers : [issuerDefault];
  const keyFiles =
    serviceAccountKeyFiles.length > 0 || signingFile === undefined ? serviceAccountKeyFiles : [signingFile];
  const verifiers = keyFiles.flatMap((file) =>
    fromFile(file, verifiersFromPem, (text) => `error reading public key file ${file}: ${text}`),
  );
  const { serviceAccountJwksUri: jwksUri, serviceAccountLookup: looksUp = true } = settings;
  return {
    issuers,
    verifiers,
    looksUp,
    ...(jwksUri ? { jwksUri } : {}),
    ...(apiAudiences?.length ? { audiences: apiAudiences } : {}),
    ...(signingFile === undefined
      ? {}
      : {
          tokenIssuer: tokenIssuer({
            issuer: issuers[0]!,
            signer: fromFile(
              signingFile,
              signerFromPem,
              () =>
                `failed to parse service-account-issuer-key-file: error reading private key file ${signingFile}: data does not contain a valid RSA or ECDSA private key`,
            ),
            expirationSecondsMax: settings.serviceAccountExpirationSecondsMax ?? 0,
            extendsExpiration: settings.serviceAccountExtendsExpiration ?? true,
          }),
        }),
  };
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
    throw new Error(inWords((failure as Error).message), { cause: failure });
  }
}
