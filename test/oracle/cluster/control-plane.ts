/** A control plane in this process and in virtual time, as the recordings want it: three profiles of the scheduler, no nodes. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseDurationMs, systemRandom, type Clock } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import type { Filter } from '@coxswain/apiserver/filters/filter.ts';
import type { Transport, TransportRequest } from '@coxswain/client/transport.ts';
import { signedByOne, type ControllerSettings } from '@coxswain/kube-controller-manager';
import type { KubeSchedulerConfiguration } from '@coxswain/kube-scheduler';
import { startCluster } from '../../../packages/coxswain/src/cluster/cluster.ts';
import { whileTimePasses } from '../../../packages/coxswain/src/testing/idle/passing-time.ts';
import { advance, settled } from '../../../packages/coxswain/src/testing/idle/wait-until-idle.ts';
import { requestLog } from '../../../packages/coxswain/src/testing/requests/request-log.ts';
import { VirtualClock } from '../../../packages/coxswain/src/testing/virtual-clock.ts';
import { CertificateAuthority } from '../../attack/certificate-authority.ts';
import { ScenarioClient } from '../../differential/cluster/client.ts';

export interface ControlPlane {
  /** Asks when all that was begun before is done: time stands still, so that nothing could happen in between. */
  readonly client: ScenarioClient;
  readonly kubeletClient: ScenarioClient;
  stop(): Promise<void>;
}

const userNamed = (name: string, uid: string, group: string): UserInfo => ({
  name,
  uid,
  groups: [group, 'system:authenticated'],
});

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** Those of the recordings. */
const users: Readonly<Record<string, UserInfo>> = {
  admin: userNamed('admin', 'u1', 'system:masters'),
  alice: userNamed('alice', 'u2', 'dev'),
  bob: userNamed('bob', 'u3', 'ops'),
};

/** @param flags those of the controller manager, as the original has them */
export async function startControlPlane(flags: Readonly<Record<string, string>>): Promise<ControlPlane> {
  // Certificates are of today.
  const clock = new VirtualClock(Date.now());
  const requests = requestLog(clock);
  let revision = () => 0;
  const parts = { requests, revision: () => revision() };
  const starting = startCluster({
    clock,
    random: systemRandom,
    hostName: 'oracle',
    nodes: 0,
    guardsNodes: true,
    controllers: ['*', 'bootstrap-signer-controller', 'token-cleaner-controller'],
    controllerSettings: { ...(await signingSettings()), ...settingsOf(flags) },
    schedulerConfiguration,
    servesMetrics: false,
    guests(storage) {
      revision = () => storage.currentRevision;
      return { outermost: requests.filter, innermost: passOn };
    },
  });
  const cluster = await whileTimePasses(starting, { ...parts, clock }, { what: 'the start', isStart: true });
  const passing: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (delayMs, callback) => clock.after(delayMs, callback),
    sleep: (ms) => advance(clock, parts, ms),
  };
  const transportOf = (name: string) => cluster.apiServer.inProcess(users[name], { structured: false });
  const settling = (name: string): Transport => {
    const transport = transportOf(name);
    return Object.assign(Object.create(transport) as Transport, {
      send: async (request: TransportRequest) => {
        await settled(parts, Number.POSITIVE_INFINITY);
        return transport.send(request);
      },
    });
  };
  return {
    client: new ScenarioClient(settling, passing),
    kubeletClient: new ScenarioClient(transportOf, passing),
    stop: () => whileTimePasses(cluster.stop(), { ...parts, clock }, { what: 'the stop' }),
  };
}

/** An authority of this control plane's own, in files as the original has it. */
async function signingSettings(): Promise<Partial<ControllerSettings>> {
  const authority = await CertificateAuthority.create('root');
  const { cert, key } = await authority.issue({ name: 'CN=oracle-ca', isAuthority: true, notAfterMs: Date.now() + yearMs });
  const directory = mkdtempSync(path.join(tmpdir(), 'oracle-authority-'));
  const [certFile, keyFile] = [path.join(directory, 'ca.crt'), path.join(directory, 'ca.key')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  return { rootCertificateAuthority: cert, serviceAccountKey: () => key, signingPairs: signedByOne({ certFile, keyFile }) };
}

const settingNames: Readonly<Record<string, readonly [keyof ControllerSettings, (text: string) => number]>> = {
  'node-monitor-period': ['nodeMonitorPeriodMs', parseDurationMs],
  'node-monitor-grace-period': ['nodeMonitorGracePeriodMs', parseDurationMs],
  'node-startup-grace-period': ['nodeStartupGracePeriodMs', parseDurationMs],
  'terminated-pod-gc-threshold': ['terminatedPodsMax', Number],
};

const settingsOf = (flags: Readonly<Record<string, string>>): Partial<ControllerSettings> =>
  Object.fromEntries(
    Object.entries(flags).map(([flag, text]) => {
      const setting = settingNames[flag];
      if (setting === undefined) throw new Error(`--${flag}: no setting of a controller is known for it`);
      return [setting[0], setting[1](text)];
    }),
  );

const profileByCpu = (schedulerName: string, type: string) => ({
  schedulerName,
  plugins: {
    score: { disabled: [{ name: '*' }], enabled: [{ name: 'NodeResourcesFit', weight: 1 }] },
  },
  pluginConfig: [
    { name: 'NodeResourcesFit', args: { scoringStrategy: { type, resources: [{ name: 'cpu', weight: 1 }] } } },
  ],
});

/** Beside the usual one, one that fills the fullest node first, and one that spreads by processor time alone. */
const schedulerConfiguration: KubeSchedulerConfiguration = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [
    { schedulerName: 'default-scheduler' },
    profileByCpu('packer', 'MostAllocated'),
    profileByCpu('spreader', 'LeastAllocated'),
  ],
};

const passOn: Filter = { step: 'pass-on', handle: (request, next) => next(request) };
