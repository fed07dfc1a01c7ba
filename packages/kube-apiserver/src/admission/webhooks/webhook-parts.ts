/** The dependencies of the webhook plugins. */
import type { WebhookMatchingParts } from './match-webhook.ts';
import type { CallingParts } from './call-webhook.ts';

export type WebhookParts = WebhookMatchingParts & CallingParts;
