/** The checks of the Pod Security Standards, in the order in which they are reported. */
import { goQuote } from '@coxswain/apimachinery';
import {
  containersOf,
  containersText,
  counted,
  distinct,
  namesOf,
  quoted,
  settersText,
  type CheckedPod,
  type Container,
  type Violation,
} from './checked-pod.ts';

export interface Check {
  readonly id: string;
  /** The minor version of the standards that introduced the check. */
  readonly since?: number;
  /** The baseline check that this one supersedes. */
  readonly replaces?: string;
  /** `minor` is the requested version of the standards. */
  readonly find: (pod: CheckedPod, minor: number) => Violation | undefined;
}

const violation = (reason: string, detail: string): Violation | undefined =>
  detail === '' ? undefined : { reason, detail };

/** The containers for which `isBad` returns true. */
const bad = (pod: CheckedPod, isBad: (container: Container) => boolean): string[] =>
  namesOf(containersOf(pod).filter(isBad));

const isWindows = ({ spec }: CheckedPod): boolean => spec.os?.name === 'windows';

/** A pod in its own user namespace may do more inside it. */
const isInUserNamespace = ({ spec }: CheckedPod, minor: number): boolean =>
  minor >= 35 && spec.hostUsers === false;

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

function appArmor(pod: CheckedPod): Violation | undefined {
  const isAllowed = (type: string) => type === 'RuntimeDefault' || type === 'Localhost';
  const ofPod = pod.spec.securityContext?.appArmorProfile?.type;
  const typeOf = ({ securityContext }: Container) => securityContext?.appArmorProfile?.type;
  const containers = containersOf(pod).filter((one) => typeOf(one) !== undefined && !isAllowed(typeOf(one)!));
  const isPodBad = ofPod !== undefined && !isAllowed(ofPod);
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAllowedAppArmor(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .sort();
  const setters = [
    settersText(isPodBad, namesOf(containers)),
    annotations.length > 0 ? counted(annotations, 'annotation') : '',
  ].filter(Boolean);
  const types = distinct([...(isPodBad ? [ofPod] : []), ...containers.map((one) => typeOf(one)!)]);
  const values = [...types, ...annotations];
  if (setters.length === 0) return undefined;
  return {
    reason: counted(values, 'forbidden AppArmor profile'),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

const isAllowedAppArmor = (profile: string): boolean =>
  profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');

const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const addedBy = ({ securityContext }: Container): readonly string[] =>
  securityContext?.capabilities?.add ?? [];

/** The containers that add disallowed capabilities, and these capabilities. */
function addedCapabilities(pod: CheckedPod, isAllowed: (capability: string) => boolean): string {
  const forbidden = (container: Container) => addedBy(container).filter((one) => !isAllowed(one));
  const names = bad(pod, (container) => forbidden(container).length > 0);
  if (names.length === 0) return '';
  const capabilities = distinct(containersOf(pod).flatMap(forbidden));
  return `${containersText(names)} must not include ${quoted(capabilities)} in securityContext.capabilities.add`;
}

function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const { hostNetwork, hostPID, hostIPC } = spec;
  const used = [
    hostNetwork && 'hostNetwork=true',
    hostPID && 'hostPID=true',
    hostIPC && 'hostIPC=true',
  ].filter(Boolean);
  return violation('host namespaces', used.join(', '));
}

function hostPaths({ spec }: CheckedPod): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
  return names.length === 0
    ? undefined
    : { reason: 'hostPath volumes', detail: `${counted(names, 'volume')} ${quoted(names)}` };
}

function hostPorts(pod: CheckedPod): Violation | undefined {
  const portsOf = ({ ports }: Container) => (ports ?? []).filter(({ hostPort }) => hostPort);
  const names = bad(pod, (container) => portsOf(container).length > 0);
  if (names.length === 0) return undefined;
  const ports = distinct(
    containersOf(pod).flatMap((one) => portsOf(one).map(({ hostPort }) => String(hostPort))),
  );
  const uses = counted(names, 'uses', 'use');
  return {
    reason: 'hostPort',
    detail: `${containersText(names)} ${uses} ${counted(ports, 'hostPort')} ${ports.join(', ')}`,
  };
}

interface Handler {
  readonly httpGet?: { readonly host?: string };
  readonly tcpSocket?: { readonly host?: string };
}

function hostProbes(pod: CheckedPod): Violation | undefined {
  const hostsOf = ({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): string[] => {
    const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
    return (handlers as (Handler | undefined)[])
      .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
      .filter((host) => host !== undefined && host !== '') as string[];
  };
  const names = distinct(bad(pod, (container) => hostsOf(container).length > 0));
  if (names.length === 0) return undefined;
  const hosts = distinct(containersOf(pod).flatMap(hostsOf));
  const uses = counted(names, 'uses', 'use');
  const what = counted(hosts, 'probe or lifecycle host');
  return {
    reason: 'probe or lifecycle host',
    detail: `${containersText(names)} ${uses} ${what} ${quoted(hosts)}`,
  };
}

function privileged(pod: CheckedPod): Violation | undefined {
  const names = bad(pod, ({ securityContext }) => securityContext?.privileged === true);
  return names.length === 0
    ? undefined
    : {
        reason: 'privileged',
        detail: `${containersText(names)} must not set securityContext.privileged=true`,
      };
}

function procMount(pod: CheckedPod): Violation | undefined {
  const mountOf = ({ securityContext }: Container) => securityContext?.procMount ?? 'Default';
  const containers = containersOf(pod).filter((container) => mountOf(container) !== 'Default');
  if (containers.length === 0) return undefined;
  const mounts = distinct(containers.map(mountOf));
  return {
    reason: 'procMount',
    detail: `${containersText(namesOf(containers))} must not set securityContext.procMount to ${quoted(mounts)}`,
  };
}

function seLinux(pod: CheckedPod, minor: number): Violation | undefined {
  const allowed = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
  if (minor >= 31) allowed.push('container_engine_t');
  type Options = NonNullable<NonNullable<Container['securityContext']>['seLinuxOptions']>;
  const isBad = (options: Options | undefined): options is Options =>
    options !== undefined &&
    (!allowed.includes(options.type ?? '') || Boolean(options.user) || Boolean(options.role));
  const ofPod = pod.spec.securityContext?.seLinuxOptions;
  const containers = containersOf(pod).filter(({ securityContext }) =>
    isBad(securityContext?.seLinuxOptions),
  );
  const setters = settersText(isBad(ofPod), namesOf(containers));
  if (setters === '') return undefined;
  const options = [ofPod, ...containers.map(({ securityContext }) => securityContext!.seLinuxOptions)].filter(
    isBad,
  );
  const types = distinct(options.map(({ type }) => type ?? '').filter((type) => !allowed.includes(type)));
  const details = [
    ...(types.length > 0 ? [`${counted(types, 'type')} ${quoted(types)}`] : []),
    ...(options.some(({ user }) => user) ? ['user may not be set'] : []),
    ...(options.some(({ role }) => role) ? ['role may not be set'] : []),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${setters} set forbidden securityContext.seLinuxOptions: ${details.join('; ')}`,
  };
}

const seccompOf = ({ securityContext }: Container): string | undefined =>
  securityContext?.seccompProfile?.type;
const isGoodSeccomp = (type: string): boolean => type === 'Localhost' || type === 'RuntimeDefault';

function badSeccomp(pod: CheckedPod): Violation | undefined {
  const ofPod = pod.spec.securityContext?.seccompProfile?.type;
  const isBad = (type: string | undefined): type is string => type !== undefined && !isGoodSeccomp(type);
  const containers = containersOf(pod).filter((container) => isBad(seccompOf(container)));
  const setters = settersText(isBad(ofPod), namesOf(containers));
  if (setters === '') return undefined;
  const types = distinct([ofPod, ...containers.map(seccompOf)].filter(isBad));
  return {
    reason: 'seccompProfile',
    detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(types)}`,
  };
}

const safeSysctls: readonly (readonly [since: number, names: readonly string[]])[] = [
  [
    0,
    [
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_port_range',
      'net.ipv4.tcp_syncookies',
      'net.ipv4.ping_group_range',
      'net.ipv4.ip_unprivileged_port_start',
    ],
  ],
  [27, ['net.ipv4.ip_local_reserved_ports']],
  [
    29,
    [
      'net.ipv4.tcp_keepalive_time',
      'net.ipv4.tcp_fin_timeout',
      'net.ipv4.tcp_keepalive_intvl',
      'net.ipv4.tcp_keepalive_probes',
    ],
  ],
  [32, ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']],
];

function sysctls({ spec }: CheckedPod, minor: number): Violation | undefined {
  const safe = safeSysctls.filter(([since]) => minor >= since).flatMap(([, names]) => names);
  const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name);
  return violation('forbidden sysctls', names.filter((name) => !safe.includes(name)).join(', '));
}

function hostProcess(pod: CheckedPod): Violation | undefined {
  const isSet = (context: Container['securityContext'] | PodSecurityContext) =>
    context?.windowsOptions?.hostProcess === true;
  const names = bad(pod, ({ securityContext }) => isSet(securityContext));
  const setters = settersText(isSet(pod.spec.securityContext), names);
  return violation(
    'hostProcess',
    setters && `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
  );
}

type PodSecurityContext = CheckedPod['spec']['securityContext'];

export const baselineChecks: readonly Check[] = [
  { id: 'appArmorProfile', find: appArmor },
  {
    id: 'capabilities_baseline',
    find: (pod) =>
      violation(
        'non-default capabilities',
        addedCapabilities(pod, (one) => defaultCapabilities.has(one)),
      ),
  },
  { id: 'hostNamespaces', find: hostNamespaces },
  { id: 'hostPathVolumes', find: hostPaths },
  { id: 'hostPorts', find: hostPorts },
  { id: 'hostProbesAndHostLifecycle', since: 34, find: hostProbes },
  { id: 'privileged', find: privileged },
  { id: 'procMount', find: (pod, minor) => (isInUserNamespace(pod, minor) ? undefined : procMount(pod)) },
  { id: 'seLinuxOptions', find: seLinux },
  { id: 'seccompProfile_baseline', since: 19, find: badSeccomp },
  { id: 'sysctls', find: sysctls },
  { id: 'windowsHostProcess', find: hostProcess },
];

function escalation(pod: CheckedPod): Violation | undefined {
  const names = bad(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  return violation(
    'allowPrivilegeEscalation != false',
    names.length === 0
      ? ''
      : `${containersText(names)} must set securityContext.allowPrivilegeEscalation=false`,
  );
}

function restrictedCapabilities(pod: CheckedPod): Violation | undefined {
  const keeping = bad(pod, ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'));
  const details = [
    keeping.length > 0 ? `${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]` : '',
    addedCapabilities(pod, (one) => one === 'NET_BIND_SERVICE'),
  ];
  return violation('unrestricted capabilities', details.filter(Boolean).join('; '));
}

const restrictedVolumeSources: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

function restrictedVolumes({ spec }: CheckedPod): Violation | undefined {
  const sourceOf = (volume: object) =>
    Object.entries(volume).find(([member, value]) => member !== 'name' && value !== undefined)?.[0] ??
    'unknown';
  const volumes = (spec.volumes ?? []).filter((volume) => !restrictedVolumeSources.has(sourceOf(volume)));
  if (volumes.length === 0) return undefined;
  const names = volumes.map(({ name }) => name);
  const types = distinct(volumes.map(sourceOf));
  const uses = counted(names, 'uses', 'use');
  return {
    reason: 'restricted volume types',
    detail: `${counted(names, 'volume')} ${quoted(names)} ${uses} ${counted(types, 'restricted volume type')} ${quoted(types)}`,
  };
}

function runAsNonRoot(pod: CheckedPod): Violation | undefined {
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const wrong = bad(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false);
  const setters = settersText(ofPod === false, wrong);
  const reason = 'runAsNonRoot != true';
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (ofPod) return undefined;
  const silent = bad(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
}

function runAsRoot(pod: CheckedPod): Violation | undefined {
  const names = bad(pod, ({ securityContext }) => securityContext?.runAsUser === 0);
  const setters = settersText(pod.spec.securityContext?.runAsUser === 0, names);
  return violation('runAsUser=0', setters && `${setters} must not set runAsUser=0`);
}

function restrictedSeccomp(pod: CheckedPod): Violation | undefined {
  const wrong = badSeccomp(pod);
  if (wrong !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return wrong;
  const silent = bad(pod, (container) => seccompOf(container) === undefined);
  if (silent.length === 0) return undefined;
  const types = '"RuntimeDefault" or "Localhost"';
  return {
    reason: 'seccompProfile',
    detail: `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to ${types}`,
  };
}

/** Since 1.25, fields that don't exist on Windows are not required of Windows pods. */
const exceptOnWindows =
  (find: Check['find']): Check['find'] =>
  (pod, minor) =>
    minor >= 25 && isWindows(pod) ? undefined : find(pod, minor);

const exceptInUserNamespace =
  (find: Check['find']): Check['find'] =>
  (pod, minor) =>
    isInUserNamespace(pod, minor) ? undefined : find(pod, minor);

/** The additional checks of `restricted`. */
export const restrictedChecks: readonly Check[] = [
  { id: 'allowPrivilegeEscalation', since: 8, find: exceptOnWindows(escalation) },
  {
    id: 'capabilities_restricted',
    since: 22,
    replaces: 'capabilities_baseline',
    find: exceptOnWindows(restrictedCapabilities),
  },
  { id: 'procMount_restricted', since: 35, replaces: 'procMount', find: procMount },
  { id: 'restrictedVolumes', replaces: 'hostPathVolumes', find: restrictedVolumes },
  { id: 'runAsNonRoot', find: exceptInUserNamespace(runAsNonRoot) },
  { id: 'runAsUser', since: 23, find: exceptInUserNamespace(runAsRoot) },
  {
    id: 'seccompProfile_restricted',
    since: 19,
    replaces: 'seccompProfile_baseline',
    find: exceptOnWindows(restrictedSeccomp),
  },
];
