/** The authorization flags. */
import { duration, section, string, stringSlice } from '@coxswain/cobra';
import { webhookDefaults } from '../authorization/webhook-defaults.ts';

export const authorizationFlags = section('Authorization', {
  authorizationMode: stringSlice({
    usage:
      'Ordered list of authorizers, out of AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC and Node. Defaults to AlwaysAllow.',
  }),
  authorizationConfig: string({
    usage:
      'The authorization configuration file, in place of --authorization-mode and --authorization-webhook-*.',
  }),
  authorizationPolicyFile: string({ usage: 'The file with the ABAC policies, one JSON object per line.' }),
  authorizationWebhookConfigFile: string({
    usage: 'A kubeconfig file with the address of the authorization webhook.',
  }),
  authorizationWebhookVersion: string({
    default: webhookDefaults.version,
    usage: 'The API version of the SubjectAccessReview sent to the webhook.',
  }),
  authorizationWebhookCacheAuthorizedTtl: duration({
    default: webhookDefaults.authorizedTtlMs,
    usage: 'How long to cache allowed responses of the webhook.',
  }),
  authorizationWebhookCacheUnauthorizedTtl: duration({
    default: webhookDefaults.unauthorizedTtlMs,
    usage: 'How long to cache denied responses of the webhook.',
  }),
});
