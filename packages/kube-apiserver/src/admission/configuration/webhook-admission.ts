/** The configuration of the webhook plugins. */
import { fieldErrorText, invalidError } from '@coxswain/apimachinery';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { optional, string, struct } from '@coxswain/schema';
import { decodeConfiguration } from '@coxswain/apimachinery/configuration/decode-configuration.ts';
import type { CredentialsOf, WebhookCredentialsReader } from '../../webhooks/webhook-credentials.ts';
import { refuseStaticManifests } from './static-manifests.ts';

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

/**
 * The credentials for the plugin's webhooks; undefined if it calls them without any.
 * @throws Error with upstream's message
 */
export function webhookCredentials(
  text: string | undefined,
  features: FeatureGates,
  read: WebhookCredentialsReader,
): CredentialsOf | undefined {
  if (text === undefined) return undefined;
  const { kubeConfigFile, staticManifestsDir } = decodeConfiguration(text, form);
  if (kubeConfigFile && !kubeConfigFile.startsWith('/')) {
    const problem = invalidError('kubeConfigFile', kubeConfigFile, 'must be an absolute file path');
    throw new Error(fieldErrorText(problem));
  }
  refuseStaticManifests(staticManifestsDir, features);
  return kubeConfigFile ? read(kubeConfigFile) : undefined;
}
