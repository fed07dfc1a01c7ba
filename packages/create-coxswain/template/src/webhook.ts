import { denied, validating } from '@coxswain/controller';
import { webhookCertificates, webhookServer } from '@coxswain/controller/node.ts';
import { Greeting } from './kinds.ts';

/** Validates what a schema cannot express. Rules that a schema or CEL can express belong in kinds.ts. */
export const validateGreeting = validating(Greeting, ({ object }) =>
  object?.spec.text.includes('password') ? denied('a greeting has no secrets') : undefined,
);

/** Creates and renews the server's certificate, and registers it with the API server. */
export const certificatesIn = (namespace: string) =>
  webhookCertificates({
    secret: { namespace, name: 'greeting-operator-webhooks' },
    server: { service: { namespace, name: 'greeting-operator' } },
    inject: [{ kind: 'ValidatingWebhookConfiguration', name: 'greeting-operator' }],
  });

/** The names used in manifests/webhook.yaml. */
export const webhooksWith = (certificates: ReturnType<typeof certificatesIn>) =>
  webhookServer({ port: 9443, certificates, handlers: { '/validate': validateGreeting } });
