/** Who decides what is allowed. */
import { duration, section, string, stringSlice } from '@coxswain/cobra';
import { webhookDefaults } from '../authorization/webhook-defaults.ts';

export const authorizationFlags = section('Authorization', {
  authorizationMode: stringSlice({
    usage:
      'Who decides, in this order: AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node. AlwaysAllow when nothing is said.',
  }),
  authorizationConfig: string({
    usage: 'The file that says who decides; in place of --authorization-mode and --authorization-webhook-*.',
  }),
  authorizationPolicyFile: string({ usage: 'The policies of the mode ABAC, a JSON object a line.' }),
  authorizationWebhookConfigFile: string({
    usage: 'A kubeconfig file that names the service that the mode Webhook asks.',
  }),
  authorizationWebhookVersion: string({
    default: webhookDefaults.version,
    usage: 'The version of the SubjectAccessReview that the webhook is sent.',
  }),
  authorizationWebhookCacheAuthorizedTtl: duration({
    default: webhookDefaults.authorizedTtlMs,
    usage: 'How long the webhook’s yes is kept.',
  }),
  authorizationWebhookCacheUnauthorizedTtl: duration({
    default: webhookDefaults.unauthorizedTtlMs,
    usage: 'How long the webhook’s no is kept.',
  }),
});
