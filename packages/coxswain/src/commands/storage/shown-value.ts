/** Text where the bytes are UTF-8 (JSON, mostly), base64 where they are not (protobuf, encrypted values). */
export function shownValue(value: Uint8Array): { readonly value: string } | { readonly base64: string } {
  try {
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(value) };
  } catch {
    return { base64: Buffer.from(value).toString('base64') };
  }
}
