/**
 * What joining machines know of the certificate authority before they trust anyone: kubeadm's hash of its public key.
 */
import { X509Certificate, createHash } from 'node:crypto';

const prefix = 'sha256:';
const form = /^sha256:[0-9a-f]{64}$/;

/**
 * Returns the pin of the first certificate in a PEM file: `sha256:` and the hash of its public key, as RFC 7469 pins
 * keys.
 */
export function authorityPin(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return prefix + createHash('sha256').update(key).digest('hex');
}

/** @throws Error for text in another format */
export function checkPinForm(pin: string): void {
  if (!form.test(pin)) throw new Error(`invalid hash "${pin}", expected "sha256:" and 64 hexadecimal digits`);
}

/** @throws Error if none of the pins matches the authority */
export function checkPinned(pem: string, pins: readonly string[]): void {
  const found = authorityPin(pem);
  if (!pins.includes(found))
    throw new Error(
      `cluster CA found in cluster-info ConfigMap is invalid: none of the public keys "${found}" are pinned`,
    );
}
