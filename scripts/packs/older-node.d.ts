/** For `older-node.tsconfig.json`: of `Uint8Array` one new function is there in bundles, and no new method. */

interface Uint8ArrayConstructor {
  fromBase64(text: string, options?: { alphabet?: 'base64' | 'base64url' }): Uint8Array<ArrayBuffer>;
}
