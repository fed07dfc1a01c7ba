/** The configuration of the plugins that ask webhooks. */
import { optional, string, struct } from '@coxswain/schema';
import { decodeConfiguration } from '../../configuration-file.ts';

const form = {
  isStrict: true,
  kinds: [
    'apiserver.config.k8s.io/v1 WebhookAdmissionConfiguration',
    'apiserver.config.k8s.io/v1alpha1 WebhookAdmission',
  ],
  type: struct('WebhookAdmission', {
    kind: optional(0, string),
    apiVersion: optional(0, string),
    kubeConfigFile: optional(1, string),
    staticManifestsDir: optional(2, string),
  }),
};

/** @throws Error for what can't be read, and for what this server would have to ignore */
export function checkWebhookAdmission(text: string | undefined): void {
  if (text === undefined) return;
  const { kubeConfigFile, staticManifestsDir } = decodeConfiguration(text, form);
  if (kubeConfigFile) throw new Error('kubeConfigFile: credentials for webhooks are not implemented');
  if (staticManifestsDir) throw new Error('staticManifestsDir: webhooks from files are not implemented');
}
