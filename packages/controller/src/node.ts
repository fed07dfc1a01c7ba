/** The parts that need Node: ports and files. */

export * from './probe-server.ts';
export * from './webhook/webhook-server.ts';
export * from './webhook/certificates/webhook-certificates.ts';
export type { WebhookObject } from './webhook/certificates/inject.ts';
