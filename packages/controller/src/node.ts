/**
 * The parts of controllers that need Node: ports and files.
 * @module @coxswain/controller/node
 */

export * from './probe-server.ts';
export * from './webhook/webhook-server.ts';
export * from './webhook/certificates/webhook-certificates.ts';
export type { WebhookObject } from './webhook/certificates/inject.ts';
