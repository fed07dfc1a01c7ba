/** Header values as they go over the wire: Node writes each character as one byte, so UTF-8 is spelled out. */
import type { ApiResponse } from './api-response.ts';

/** Headers that may quote what a client sent; all others are ASCII of our own. */
const quoting = ['warning', 'location'] as const;

/** Makes the values sendable, in place. */
export function spellOutHeaders(headers: ApiResponse['headers']): void {
  for (const name of quoting) {
    const value = headers[name];
    if (value === undefined) continue;
    headers[name] = typeof value === 'string' ? spelledOut(value) : value.map(spelledOut);
  }
}

const encoder = new TextEncoder();

const spelledOut = (value: string): string =>
  isAscii.test(value) ? value : String.fromCharCode(...encoder.encode(value));

const isAscii = /^[\t -~]*$/;
