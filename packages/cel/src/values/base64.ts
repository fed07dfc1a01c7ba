/** Decodes standard base64 with padding; undefined if invalid. */
export function parseBase64(text: string): Uint8Array | undefined {
  const compact = text.replaceAll(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) return undefined;
  return Uint8Array.from(atob(compact), (character) => character.charCodeAt(0));
}

export const formatBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
