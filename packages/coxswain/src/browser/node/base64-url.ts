/** RFC 4648, section 5, without padding. */
export const base64Url = (bytes: Buffer): string =>
  bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
