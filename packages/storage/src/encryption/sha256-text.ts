import { createHash } from 'node:crypto';

/** `sha256:…` in hexadecimal; empty for empty input. */
export const sha256Text = (data: string | Uint8Array): string =>
  data.length === 0 ? '' : `sha256:${createHash('sha256').update(data).digest('hex')}`;
