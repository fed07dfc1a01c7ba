/** The settings of authorization and admission from flags and their files. @throws Error with upstream's message */
import { systemClock } from '@coxswain/apimachinery';
import { loadPluginConfigurations } from '../admission/configuration/load-plugin-configurations.ts';
import { enabledPlugins, onlyPlugins } from '../admission/plugin-order.ts';
import { loadAuthorization } from '../authorization/load-authorization.ts';
import type { AssemblyOptions } from '../server/options.ts';
import type { WebhookConnector } from '../webhook-connection.ts';
import { kubeconfigCredentials } from '../webhooks/kubeconfig-credentials.ts';
import type { ApiServerFlags } from './effective-flags.ts';

type AccessSettings = Pick<
  AssemblyOptions,
  | 'authorization'
  | 'enableAdmissionPlugins'
  | 'disableAdmissionPlugins'
  | 'pluginConfigurations'
  | 'connectWebhook'
  | 'readWebhookCredentials'
>;

/** @param connect connects to the webhooks that files configure */
export function accessSettings(
  flags: ApiServerFlags,
  log: (line: string) => void,
  connect: WebhookConnector,
): AccessSettings {
  const { enable, disable } = onlyPlugins(
    flags.admissionControl,
    flags.enableAdmissionPlugins,
    flags.disableAdmissionPlugins,
  );
  const pluginNames = enabledPlugins(enable, disable);
  const authorization = loadAuthorization(
    {
      modes: flags.authorizationMode,
      policyFile: flags.authorizationPolicyFile,
      configFile: flags.authorizationConfig,
      webhookConfigFile: flags.authorizationWebhookConfigFile,
      webhookVersion: flags.authorizationWebhookVersion,
      webhookAuthorizedTtlMs: flags.authorizationWebhookCacheAuthorizedTtl,
      webhookUnauthorizedTtlMs: flags.authorizationWebhookCacheUnauthorizedTtl,
    },
    { clock: systemClock, log, connect },
  );
  return {
    authorization,
    enableAdmissionPlugins: enable,
    disableAdmissionPlugins: disable,
    pluginConfigurations: loadPluginConfigurations(flags.admissionControlConfigFile, pluginNames),
    connectWebhook: connect,
    readWebhookCredentials: kubeconfigCredentials,
  };
}
