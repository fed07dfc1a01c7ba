/** Flags of kube-apiserver that programs with a whole cluster in one process take for its API server. */
import { string, stringArray, type FlagValues } from '@coxswain/cobra';

export const clusterFlags = {
  auditLogPath: string({
    usage: 'The file to write audit events to, or - for standard output, used with --audit-policy-file.',
  }),
  auditPolicyFile: string({ usage: 'File with the audit policy, used with --audit-log-path.' }),
  encryptionProviderConfig: string({ usage: 'File with the configuration for encryption at rest.' }),
  featureGates: stringArray({
    usage: 'Feature gates as NAME=true|false, as for kube-apiserver. Can be repeated.',
  }),
  runtimeConfig: string({
    usage:
      'API versions to serve or not, as for kube-apiserver, such as api/alpha=true or resource.k8s.io/v1beta1=true.',
  }),
};

export type ClusterFlags = FlagValues<typeof clusterFlags>;
