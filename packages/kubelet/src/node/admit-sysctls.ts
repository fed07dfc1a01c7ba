/** The kernel parameters that a pod may set: safe ones, and those that the node's configuration allows. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Refusal } from './admit.ts';

type Namespace = 'IPC' | 'Net';

/** Namespaced parameters that cannot affect other pods. All have been namespaced since Linux 4.15. */
const safeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
];

/** The kernel keeps these per IPC namespace; the short entries are prefixes. */
const ipcSysctls: ReadonlySet<string> = new Set([
  'kernel.sem',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
  'kernel.shm',
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
  'kernel.msg',
]);

const segment = '[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?';
const patternForm = new RegExp(
  String.raw`^(?:${segment}[\./])*(?:${segment}|(?:${segment}[\./])?\*|${segment}\*)$`,
);
const patternLengthMax = 253;

/**
 * @param allowedUnsafe names from the node's configuration, or prefixes that end with `*`
 * @returns why the node rejects a pod for its parameters; undefined if it doesn't
 * @throws Error for an invalid pattern, or one for parameters that are not known to be namespaced
 */
export function sysctlAdmission(allowedUnsafe: readonly string[]): (pod: Pod) => Refusal | undefined {
  const allowed = [...safeSysctls, ...allowedUnsafe].map(readPattern);
  return ({ spec }) => {
    for (const { name = '' } of spec?.securityContext?.sysctls ?? []) {
      const sysctl = withDots(name);
      const match = allowed.find(({ text, isPrefix }) =>
        isPrefix ? sysctl.startsWith(text) : sysctl === text,
      );
      if (match === undefined) return forbidden(`"${sysctl}" not allowlisted`);
      const isShared = match.namespace === 'IPC' ? spec?.hostIPC : spec?.hostNetwork;
      if (isShared) return forbidden(`"${sysctl}" not allowed with host ${match.namespace} enabled`);
    }
    return undefined;
  };
}

const forbidden = (why: string): Refusal => ({
  reason: 'SysctlForbidden',
  message: `forbidden sysctl: ${why}`,
});

interface SysctlPattern {
  readonly text: string;
  readonly isPrefix: boolean;
  readonly namespace: Namespace;
}

function readPattern(pattern: string): SysctlPattern {
  if (pattern.length > patternLengthMax || !patternForm.test(pattern))
    throw new Error(
      `sysctl "${pattern}" must have at most ${patternLengthMax} characters and be a name or end with *`,
    );
  const [text = '', ...rest] = withDots(pattern).split('*');
  const namespace = namespaceOf(text);
  if (namespace === undefined) throw new Error(`the sysctls "${text}" are not known to be namespaced`);
  return { text, isPrefix: rest.length > 0, namespace };
}

function namespaceOf(name: string): Namespace | undefined {
  if (ipcSysctls.has(name) || name.startsWith('fs.mqueue.')) return 'IPC';
  return name.startsWith('net.') ? 'Net' : undefined;
}

/** `net/ipv4/conf/eth0.1` becomes `net.ipv4.conf.eth0/1`: the first separator determines the format. */
export function withDots(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  return first === '/' ? name.replaceAll(/[./]/g, (found) => (found === '.' ? '/' : '.')) : name;
}
