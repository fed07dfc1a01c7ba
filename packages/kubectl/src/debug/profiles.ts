/** The profiles of `kubectl debug`: the privileges of the debugging container in each of the three styles. */
import {
  addCapabilities,
  clearSecurity,
  mountHost,
  privileged,
  removeLabels,
  removeUnkept,
  restrict,
  shareProcesses,
  useHostNamespaces,
  type ProfileStep,
} from './profile-steps.ts';

/** A container in the running pod, a copy of the pod, or a pod on a node. */
export type DebugStyle = 'ephemeral' | 'copy' | 'node';

export type Profile = Readonly<Record<DebugStyle, readonly ProfileStep[]>>;

const trace = addCapabilities('SYS_PTRACE');
const net = addCapabilities('NET_ADMIN', 'NET_RAW');

const profiles: Readonly<Record<string, Profile>> = {
  legacy: { ephemeral: [], copy: [removeLabels], node: [mountHost, useHostNamespaces] },
  general: {
    ephemeral: [trace],
    copy: [removeUnkept, trace, shareProcesses],
    node: [mountHost, clearSecurity, useHostNamespaces],
  },
  baseline: {
    ephemeral: [clearSecurity],
    copy: [clearSecurity, removeUnkept, shareProcesses],
    node: [clearSecurity],
  },
  restricted: {
    ephemeral: [clearSecurity, restrict],
    copy: [clearSecurity, restrict, removeUnkept, shareProcesses],
    node: [clearSecurity, restrict],
  },
  netadmin: {
    ephemeral: [net],
    copy: [net, removeUnkept, shareProcesses],
    node: [net, useHostNamespaces],
  },
  sysadmin: {
    ephemeral: [privileged],
    copy: [privileged, removeUnkept, shareProcesses],
    node: [privileged, useHostNamespaces, mountHost],
  },
};

/** @throws Error for an unknown name */
export function profileNamed(name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) throw new Error(`unknown profile: ${name}`);
  return profile;
}
