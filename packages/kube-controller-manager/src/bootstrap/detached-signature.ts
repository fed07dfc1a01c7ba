/** Creates a JWS with detached content (RFC 7515, appendix F) and a symmetric key. */

import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';

const utf8 = new TextEncoder();

export const detachedSignature = (content: string, keyId: string, key: string): Promise<string> =>
  inWallTime(() => signatureOf(content, keyId, key));

async function signatureOf(content: string, keyId: string, key: string): Promise<string> {
  const header = base64url(utf8.encode(JSON.stringify({ alg: 'HS256', kid: keyId })));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const hmac = await crypto.subtle.importKey('raw', utf8.encode(key), algorithm, false, ['sign']);
  const signed = utf8.encode(`${header}.${base64url(utf8.encode(content))}`);
  return `${header}..${base64url(new Uint8Array(await crypto.subtle.sign('HMAC', hmac, signed)))}`;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
