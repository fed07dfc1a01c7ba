/** `node:buffer`: the npm package `buffer`, plus the encoding that it lacks. */

import { Buffer as PackageBuffer } from 'buffer';
import { base64Url } from './base64-url.ts';

export { kMaxLength } from 'buffer';

export const Buffer = withBase64Url(PackageBuffer);

function withBase64Url(buffer: typeof PackageBuffer): typeof PackageBuffer {
  const { isEncoding } = buffer;
  const { toString } = buffer.prototype;
  const from = buffer.from.bind(buffer) as (...values: unknown[]) => Buffer;
  Object.assign(buffer, {
    isEncoding: (name: string) => name === 'base64url' || isEncoding(name),
    // The package accepts both alphabets as base64.
    from: (data: unknown, encoding?: unknown, ...more: unknown[]) =>
      from(data, encoding === 'base64url' ? 'base64' : encoding, ...more),
  });
  buffer.prototype.toString = function inEncoding(
    this: Buffer,
    encoding?: BufferEncoding,
    ...range: number[]
  ): string {
    return encoding === 'base64url'
      ? base64Url(this.subarray(...range))
      : toString.call(this, encoding, ...range);
  };
  return buffer;
}
