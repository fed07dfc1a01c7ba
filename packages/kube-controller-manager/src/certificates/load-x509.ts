import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';

/** The certificate library: it takes tens of milliseconds to load, and most clusters never need it. */
export type X509 = typeof import('@peculiar/x509');

let loading: Promise<X509> | undefined;

export const loadX509 = (): Promise<X509> => (loading ??= inWallTime(load));

async function load(): Promise<X509> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(globalThis.crypto);
  return x509;
}
