import { denied, validating } from '@coxswain/controller';
import { webhookCertificates, webhookServer } from '@coxswain/controller/node.ts';
import { Greeting } from './kinds.ts';

/** What a schema cannot say. What one can say, and CEL, belongs into kinds.ts. */
export const validateGreeting = validating(Greeting, ({ object }) =>
  object?.spec.text.includes('password') ? denied('a greeting has no secrets') : undefined,
);

/** Makes and renews the certificate of the server, and tells the API server of it. */
export const certificatesIn = (namespace: string) =>
  webhookCertificates({
    secret: { namespace, name: 'greeting-operator-webhooks' },
    server: { service: { namespace, name: 'greeting-operator' } },
    inject: [{ kind: 'ValidatingWebhookConfiguration', name: 'greeting-operator' }],
  });

/** What manifests/webhook.yaml speaks of. */
export const webhooksWith = (certificates: ReturnType<typeof certificatesIn>) =>
  webhookServer({ port: 9443, certificates, handlers: { '/validate': validateGreeting } });
