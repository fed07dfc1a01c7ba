/** Flags of `coxswain up` that have an effect only together with another one. */

import { flagName } from '@coxswain/cobra';
import { upFlags, type UpFlags } from './up-flags.ts';

type Name = keyof UpFlags;

/** Each with the flags of which one must be set. */
export const requiredFlags: Readonly<Partial<Record<Name, readonly Name[]>>> = {
  auditLogPath: ['auditPolicyFile'],
  auditPolicyFile: ['auditLogPath'],
  uiPort: ['ui'],
  containerRuntimeEndpoint: ['node'],
  cniConfDir: ['node'],
  podCidr: ['node'],
  kubeletConfig: ['node'],
  nodeIp: ['node', 'server'],
  advertiseAddress: ['node', 'server'],
  clusterCidr: ['server'],
  controlPlaneEndpoint: ['server'],
  token: ['server'],
  tokenTtl: ['server'],
  etcdServers: ['server'],
  etcdCafile: ['etcdServers'],
  etcdCertfile: ['etcdServers'],
  etcdKeyfile: ['etcdServers'],
  uploadCerts: ['etcdServers'],
  certificateKey: ['uploadCerts'],
};

/** @throws Error naming a flag that would be ignored */
export function checkRequiredFlags(flags: UpFlags, changed: (name: Name) => boolean): void {
  const isSet = (name: Name): boolean => !['', 'false'].includes(String(flags[name]));
  for (const [name, required = []] of Object.entries(requiredFlags) as [Name, readonly Name[]][])
    if (changed(name) && isSet(name) && !required.some(isSet))
      throw new Error(`${flagText(name)} requires ${required.map(flagText).join(' or ')}`);
}

export const flagText = (name: Name): string => `--${flagName(name, upFlags[name])}`;
