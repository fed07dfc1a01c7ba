/**
 * For `older-node.tsconfig.json`: what bundles have beyond the types of the oldest Node. Functions that only newer ones
 * have may be undefined here, so that whoever calls one asks first.
 */

import type { webcrypto } from 'node:crypto';

declare global {
  interface Uint8ArrayConstructor {
    /** Of `packs/older-node.ts`. There is no new method of instances. */
    fromBase64(text: string, options?: { alphabet?: 'base64' | 'base64url' }): Uint8Array<ArrayBuffer>;
  }
  type Crypto = webcrypto.Crypto;
  type CryptoKey = webcrypto.CryptoKey;
  interface TextDecoder {
    decode(input?: NodeJS.ArrayBufferView | ArrayBuffer): string;
  }
}

declare module 'fs/promises' {
  const glob: ((pattern: string, options: { cwd: string }) => AsyncIterable<string>) | undefined;
}
declare module 'http' {
  interface AgentOptions {
    proxyEnv?: NodeJS.ProcessEnv;
  }
}
declare module 'module' {
  namespace Module {
    const enableCompileCache: (() => void) | undefined;
  }
}
declare module 'net' {
  const BoundSocket: (new (place: ListenOptions & { reusePort?: boolean }) => object) | undefined;
}
declare module 'tls' {
  const getCACertificates: ((type: 'default') => string[]) | undefined;
}
