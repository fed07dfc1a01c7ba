/** What asking webhooks takes. */
import type { WebhookMatchingParts } from './match-webhook.ts';
import type { CallingParts } from './call-webhook.ts';

export type WebhookParts = WebhookMatchingParts & CallingParts;
