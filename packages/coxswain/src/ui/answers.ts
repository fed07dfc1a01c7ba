/** The headers of every response, and the form of refusals. */

import type { ServerResponse } from 'node:http';

/** @param policy the content security policy of pages */
export const securityHeaders = (policy: string): readonly (readonly [name: string, value: string])[] => [
  ['content-security-policy', policy],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cache-control', 'no-store'],
];

/** Only content from this server is loaded, run or shown, and no other page may frame it. */
export const pagePolicy = (host: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    // Some browsers do not include WebSockets in 'self'.
    `connect-src 'self' ws://${host.replaceAll(/[^\w.:[\]-]/g, '')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

export function refuse(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(`${text}.\n`);
}
