/** The server's TLS settings from files that may change at run time. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { NamedCertificate } from '@coxswain/apiserver/http/tls/server-names.ts';
import type { TlsMaterial } from '@coxswain/apiserver/http/tls/serving-tls.ts';
import type { NamedCertificateFiles } from '../flag-kinds.ts';
import { followFiles } from '../followed-files.ts';
import { openError } from '../open-error.ts';
import { servingCertificate, servingFiles, type ServingCertificateSettings } from './serving-certificate.ts';

export interface TlsFileSettings extends ServingCertificateSettings {
  /** PEM files of client authorities, which the handshake sends to clients. */
  readonly clientCaFiles?: readonly string[];
  readonly namedCertificates?: readonly NamedCertificateFiles[];
}

export interface TlsFiles {
  readonly material: TlsMaterial;
  /** Calls back with valid new contents; invalid ones are logged and ignored. Returns a function to stop. */
  follow(exchange: (material: TlsMaterial) => void): () => void;
}

export interface TlsFilesParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** @throws Error that names the file that is missing, unreadable or doesn't match the other */
export async function tlsFiles(settings: TlsFileSettings, parts: TlsFilesParts): Promise<TlsFiles> {
  const made = await servingCertificate(settings);
  const pair = servingFiles(settings);
  const { clientCaFiles = [], namedCertificates = [] } = settings;
  const read = (): TlsMaterial => ({
    ...(pair === undefined ? made : { cert: readPem(pair[0]), key: readPem(pair[1]) }),
    clientCa: clientCaFiles.length === 0 ? undefined : clientCaFiles.map(readPem).join('\n'),
    named: namedCertificates.map(readNamed),
  });
  const material = read();
  const files = [
    ...(pair ?? []),
    ...clientCaFiles,
    ...namedCertificates.flatMap(({ certFile, keyFile }) => [certFile, keyFile]),
  ];
  return { material, follow: (exchange) => following(files, read, material, exchange, parts) };
}

function following(
  files: readonly string[],
  read: () => TlsMaterial,
  first: TlsMaterial,
  exchange: (material: TlsMaterial) => void,
  { clock, log }: TlsFilesParts,
): () => void {
  if (files.length === 0) return () => undefined;
  let last = JSON.stringify(first);
  return followFiles(files, clock, () => {
    try {
      const material = read();
      const text = JSON.stringify(material);
      if (text === last) return;
      exchange(material);
      last = text;
      log('the serving certificates were reloaded');
    } catch (failure) {
      log(`loading certificates: ${messageOf(failure)}`);
    }
  });
}

function readNamed({ certFile, keyFile, names }: NamedCertificateFiles): NamedCertificate {
  try {
    const pair = { cert: readPem(certFile), key: readPem(keyFile) };
    createSecureContext(pair);
    return { ...pair, names };
  } catch (failure) {
    throw new Error(`failed to load SNI cert and key: ${messageOf(failure)}`, { cause: failure });
  }
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    throw openError('open', file, failure);
  }
}
